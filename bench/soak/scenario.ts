/** Defines a scenario of the soak test: one kind of fault, and its result. @module */
import type { Outcome } from "../../scripts/reports/reliability.ts";
import type { Random } from "../../tests/support/random.ts";

/** What a scenario is given. */
export interface Setting {
  /** The executable. */
  readonly program: string;
  /** An empty folder of its own. */
  readonly dir: string;
  /** How long it may take, about; some need less. */
  readonly durationMs: number;
  /** Multiplies counts of things that are not measured by time; 1 is the full size. */
  readonly scale: number;
  readonly random: Random;
}

/** One kind of trouble. */
export interface Scenario {
  readonly name: string;
  /** Of the whole time. */
  readonly share: number;
  /** Why it cannot be tried on this machine; null when it can. */
  lack?(program: string): Promise<string | null>;
  run(setting: Setting): Promise<Outcome>;
}

/** Folders for a server below the setting's own: a root, and a home that holds nothing of the user's. */
export async function makeFolders(dir: string): Promise<{ root: string; env: Record<string, string> }> {
  for (const name of ["root", "home", "state", "run"]) await Deno.mkdir(`${dir}/${name}`, { recursive: true });
  return { root: `${dir}/root`, env: environmentOf(dir) };
}

/** The environment that belongs to {@link makeFolders}. */
export function environmentOf(dir: string): Record<string, string> {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: `${dir}/home`,
    XDG_STATE_HOME: `${dir}/state`,
    XDG_RUNTIME_DIR: `${dir}/run`,
    LANG: "C.UTF-8",
  };
}

/** Waits. */
export function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** The value below which a part of a sorted list lies. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** The line of a log that tells of a fault of the program itself. */
export function badLines(log: string): string[] {
  return log.split("\n").filter((line) => /uncaught|unexpected error|panicked|thread failed/i.test(line))
    .map((line) => `log: ${line.slice(0, 400)}`);
}
