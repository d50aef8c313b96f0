/** Starts a namespace with bubblewrap. @module */
import { BWRAP, type NamespacePlan } from "./bwrap.ts";
import type { ChildKernel } from "./child_kernel.ts";

const SETSID = "/usr/bin/setsid";
/** Reads what it is to run from its input. */
export const WAITING_SHELL: readonly string[] = ["/bin/sh"];

/** What a new namespace starts with. */
export interface NamespaceStart {
  readonly command: readonly string[];
  /** Of bubblewrap too, which is process 1 inside: its environment can be read there. */
  readonly env: Readonly<Record<string, string>>;
  /** The command that enters the network of listed names, if there is one. */
  readonly enter: readonly string[];
  readonly stdin: "null" | "piped";
}

/** Starts one. It dies with the thread that started it. */
export function startNamespace(
  { openArguments }: Pick<ChildKernel, "openArguments">,
  plan: NamespacePlan,
  { command, env, enter, stdin }: NamespaceStart,
): Deno.ChildProcess {
  const inherited = openArguments(plan);
  try {
    // Its own session, so that a Ctrl-C for the server does not end it; `detached: true` does the same but costs more.
    return new Deno.Command(SETSID, {
      args: [...enter, BWRAP, "--args", `${inherited.fd}`, "--", ...command],
      cwd: "/",
      clearEnv: true,
      env: { ...env },
      stdin,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } finally {
    inherited.close(); // the child has its own
  }
}
