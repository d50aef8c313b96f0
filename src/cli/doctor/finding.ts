/** Defines a doctor finding: one line, and the command that would fix it. @module */

/** `bad`: something cannot work, or does not hold, until it is changed. `warn`: it works, and could be better. */
export type State = "ok" | "warn" | "bad";

/** One finding. */
export interface Finding {
  /** What it is about. */
  readonly name: string;
  readonly state: State;
  readonly detail: string;
  /** The command that would help, or what to change. */
  readonly help?: string;
}

/** A finding, without a help that is empty. */
export function finding(name: string, state: State, detail: string, help = ""): Finding {
  return help === "" ? { name, state, detail } : { name, state, detail, help };
}
