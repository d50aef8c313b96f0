/** Operator actions on the page: end a process, allow or deny a call. @module */
import type { Logger } from "../../obs/log.ts";
import type { Approvals } from "../../call/approvals.ts";
import type { Processes } from "../../exec/processes.ts";

/** What acting needs. */
export interface ActsDeps {
  readonly approvals: Approvals;
  readonly processes: Processes;
  readonly log: Logger;
}

/** What was done. A key of {@link SAID}. */
export type Said = keyof typeof SAID;

/** In words for the person. */
export const SAID = {
  stopped: "The process has ended.",
  gone: "That process had ended before.",
  allowed: "Allowed: the call goes on.",
  denied: "Denied: the model is told so.",
  answered: "That question is closed already.",
} as const;

/** The text of a word that a browser sent back; empty when it is none of ours. */
export function saidText(word: string | undefined): string {
  return word !== undefined && isSaid(word) ? SAID[word] : "";
}

function isSaid(word: string): word is Said {
  return Object.hasOwn(SAID, word);
}

/** Does what a button says; undefined when it says nothing that can be done. */
export async function act({ approvals, processes, log }: ActsDeps, said: string): Promise<Said | undefined> {
  const [verb, id = ""] = said.split(" ", 2);
  if (verb === "allow" || verb === "deny") {
    const question = approvals.pending().find((each) => each.id === id);
    const isOpen = approvals.decide(id, verb === "allow");
    if (isOpen) log.info("the operator answered on the page", { answer: verb, tool: question?.tool });
    return isOpen ? verb === "allow" ? "allowed" : "denied" : "answered";
  }
  if (verb !== "stop") return undefined;
  const process = processes.list("*").find((each) => each.procId === id);
  if (process?.state !== "running") return "gone";
  log.info("the operator stops a process on the page", { proc_id: id, pid: process.pid });
  await processes.stop(id, process.owner, "TERM");
  return "stopped";
}
