/** Tells a person what failed, and chooses the exit code. @module */
import { CommanderError } from "commander";
import { ConfigError } from "../config/error.ts";
import { OpsError } from "../core/error.ts";
import { EXIT, OutputError, say } from "./output.ts";
import { StartError } from "./start.ts";
import { TokenError } from "./token.ts";

/** Prints a failure, with its stack trace only when that was asked for. @returns the exit code. */
export function reportError(error: unknown, verbose: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage; // it has printed itself
  const [message, code] = describe(error);
  say(`llmc-mcp: ${message}`);
  if (verbose && error instanceof Error) say(`${error.stack}${causeOf(error)}`);
  else if (code === EXIT.internal) say("This is a fault of llmc-mcp; --verbose prints a stack trace.");
  return code;
}

function describe(error: unknown): readonly [message: string, code: number] {
  if (error instanceof ConfigError) return [`the configuration is not valid\n${error.message}`, EXIT.config];
  if (error instanceof TokenError) return [error.message, EXIT.config];
  if (error instanceof StartError) return [`${error.message}${makeHint(error)}`, EXIT.unavailable];
  if (error instanceof OutputError) return [`cannot write to standard output: ${error.message}`, EXIT.output];
  if (error instanceof OpsError) {
    return [`${error.message}. ${error.hint}`, error.code === "INTERNAL" ? EXIT.internal : EXIT.failed];
  }
  return [error instanceof Error ? error.message : String(error), EXIT.internal];
}

/** Under `make run` the port is a variable of make. */
function makeHint({ message }: StartError): string {
  return !Deno.build.standalone && message.includes("--port") ? " (with make: make run PORT=8081)" : "";
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? `\ncaused by ${cause.stack}` : "";
}
