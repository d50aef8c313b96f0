/** Runs the command line: chooses the command, reports failures, and sets the exit code. @module */
import { readTeOptions } from "./commands/te_options.ts";
import { relay, RELAY_COMMAND } from "../sandbox/network/relay.ts";
import { EXIT, print } from "./output.ts";
import { makeProgram } from "./program.ts";
import { reportError } from "./report_error.ts";

/** Runs one command and ends the process with its exit code. */
export async function run(args: readonly string[]): Promise<never> {
  const fail = (error: unknown): never => Deno.exit(reportError(error, isVerbose(args)));
  // Deno itself would print a stack trace.
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    fail(event.reason);
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    fail(event.error);
  });
  try {
    return Deno.exit(await parse(args));
  } catch (error) {
    return fail(error);
  }
}

async function parse(args: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  const program = makeProgram((exitCode) => code = exitCode);
  // Without a command: a client that started us gets the protocol, a person gets help.
  const [first = ""] = args;
  if (first === "" || /^--(root|config|verbose)\b/.test(first)) {
    if (first === "" && Deno.stdin.isTerminal()) {
      program.outputHelp();
      return EXIT.ok;
    }
    await program.parseAsync(["stdio", ...args], { from: "user" });
    return code;
  }
  if (first === RELAY_COMMAND) return await relay(args[1] ?? "", print);
  // The words after it belong to the command that it runs: none of them may be read as an option of ours.
  if (first === "te") {
    const [{ te }, { teTerminal }] = await Promise.all([
      import("./commands/te.ts"),
      import("./commands/te_terminal.ts"),
    ]);
    return await te(args.slice(1), teTerminal());
  }
  await program.parseAsync([...args], { from: "user" });
  return code;
}

function isVerbose([first, ...rest]: readonly string[]): boolean {
  if (first !== "te") return [first, ...rest].includes("--verbose");
  const options = readTeOptions(rest);
  return typeof options !== "string" && options.config.verbose === true;
}
