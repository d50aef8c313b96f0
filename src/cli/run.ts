/** Defines the command line: commands and their options. @module */
import { Command, CommanderError, Option } from "commander";
import { ConfigError } from "../config/error.ts";
import { VERSION } from "../core/version.ts";
import { CLIENTS } from "./client_snippets.ts";
import { addExamples } from "./examples.ts";
import type { ConfigFlags } from "./settings.ts";
import { EXIT, print, say } from "./start.ts";
import { TokenError } from "./token.ts";

/** Runs one command and ends the process with its exit code. */
export async function run(args: readonly string[]): Promise<never> {
  try {
    Deno.exit(await parse(args));
  } catch (error) {
    Deno.exit(report(error));
  }
}

async function parse(args: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  const program = makeProgram((exitCode) => code = exitCode);
  // Without a command: a client that started us gets the protocol, a person gets help.
  if (args.length === 0 || (args[0]?.startsWith("--root") || args[0] === "--config")) {
    if (args.length === 0 && Deno.stdin.isTerminal()) {
      program.outputHelp();
      return EXIT.ok;
    }
    await program.parseAsync(["stdio", ...args], { from: "user" });
    return code;
  }
  // Its words are the command's own: none of them may be read as an option of ours.
  if (args[0] === "te") {
    const [{ te }, { teTerminal }] = await Promise.all([
      import("./commands/te.ts"),
      import("./commands/te_terminal.ts"),
    ]);
    return await te(args.slice(1), teTerminal());
  }
  await program.parseAsync([...args], { from: "user" });
  return code;
}

function makeProgram(exit: (code: number) => void): Command {
  const program = new Command("llmc-mcp")
    .description("Safe, token-lean hands on this Linux machine for a language model.")
    .version(VERSION, "-V, --version")
    .showHelpAfterError("(llmc-mcp --help lists the commands)")
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: (text) => say(text.trimEnd()) });

  withConfig(program.command("stdio").description("Serve MCP over standard input and output (what clients start)."))
    // Clients that ask their user for folders can only append them.
    .argument("[roots...]", "folders that tools may touch, as with --root")
    .action(async (roots: string[], flags: ConfigFlags) => {
      const root = [...flags.root ?? [], ...roots];
      exit(await (await import("./commands/serve.ts")).stdio({ ...flags, root }));
    });

  withConfig(program.command("serve").description("Serve MCP and REST over HTTP."))
    .option("--fresh-token", "make up a token for this run and print it")
    .option("--host <host>", "address to listen on")
    .option("--port <port>", "port to listen on")
    .action(async (flags: ConfigFlags & { freshToken?: boolean }) =>
      exit(await (await import("./commands/serve.ts")).serve(flags))
    );

  withConfig(program.command("tool").description("Run one tool in the same sandbox and print its result."))
    .argument("[name]", "tool; without it the tools are listed")
    .argument("[arguments...]", "key=value; a value that is JSON is read as JSON")
    .option("--json", "print the full structured result")
    .action(async (name: string | undefined, pairs: string[], flags: ConfigFlags & { json?: boolean }) =>
      exit(await (await import("./commands/tool.ts")).tool(name, pairs, flags))
    );

  withConfig(
    program.command("doctor").description("Say what works on this machine, what does not, and what would help."),
  )
    .option("--json", "print it for a program")
    .action(async (flags: ConfigFlags & { json?: boolean }) =>
      exit(await (await import("./commands/doctor.ts")).doctor(flags))
    );

  const config = program.command("config").description("Look at the configuration.");
  for (const [name, description] of Object.entries(CONFIG_COMMANDS)) {
    withConfig(config.command(name).description(description))
      .option("--json", "print it for a program")
      .action(async (flags: ConfigFlags) => exit(await (await import("./commands/config.ts")).config(name, flags)));
  }

  program.command("print-config").description("Print the snippet that connects a client.")
    .addArgument(program.createArgument("<client>", "which client").choices(Object.keys(CLIENTS)))
    .addOption(
      new Option("--root <dir>", "folder that tools may touch").argParser(collect).default(
        [] as string[],
        "the current folder",
      ),
    )
    .option("--url <url>", "address of a server that runs already, instead of one that the client starts")
    .action(async (client: string, flags: { root: string[]; url?: string }) =>
      exit((await import("./commands/print_config.ts")).printConfig(client, flags))
    );

  withConfig(
    program.command("top").description("Watch a running server in the terminal: calls, latencies, processes."),
  )
    .option("--url <url>", "where it listens (default: as the configuration says)")
    .option("--token-env <variable>", "variable that holds the token (default: as the configuration says)")
    .action(async (flags: ConfigFlags & { url?: string; tokenEnv?: string }) =>
      exit(await (await import("./commands/top.ts")).top(flags))
    );

  program.command("completion").description("Print what makes a shell complete the words of this program.")
    .addArgument(program.createArgument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .action(async (shell: "bash" | "zsh" | "fish") =>
      exit((await import("./commands/completion.ts")).completion(shell, program))
    );

  withConfig(program.command("index").description("Bring the code search's index up to date, and say how it is."))
    .option("--status", "only say how it is")
    .option("--rebuild", "forget it and index again")
    .option("--json", "print it for a program")
    .action(async (flags: ConfigFlags) => exit(await (await import("./commands/index.ts")).index(flags)));

  const rag = program.command("rag").description("Ask the code search.");
  withConfig(rag.command("search").description("Print the snippets that fit a question best."))
    .argument("<question>", "words, a name or an error message")
    .addOption(new Option("--scope <scope>", "what is searched").choices(["repo", "docs", "both"]))
    .option("--k <count>", "most snippets")
    .option("--budget <tokens>", "most tokens")
    .option("--json", "print the full structured result")
    .action(async (q: string, flags: ConfigFlags) =>
      exit(await (await import("./commands/index.ts")).ragSearch(q, flags))
    );

  program.command("te").description("Run one command, its output lean: ranked, grouped, bounded (te --help).");

  program.command("version").description("Print the version.").action(() => print(`${VERSION}\n`));
  addExamples(program);
  return program;
}

const CONFIG_COMMANDS = {
  show: "Print the effective configuration and where each value came from.",
  check: "Check a file and the environment; exit 78 when something is wrong.",
  schema: "Print the JSON Schema of llmc.toml.",
  path: "Print which file is read.",
};

/** Options of every command that reads the configuration. */
function withConfig(command: Command): Command {
  return command
    .addOption(new Option("--root <dir>", "folder that tools may touch; can be repeated").argParser(collect))
    .option("--config <file>", "configuration file")
    .addOption(new Option("--set <key=value>", "one configuration key; can be repeated").argParser(collect));
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...before ?? [], value];
}

/** Prints what went wrong and chooses the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof ConfigError) {
    say(`llmc-mcp: the configuration cannot be used\n${error.message}`);
    return EXIT.config;
  }
  if (error instanceof TokenError) {
    say(`llmc-mcp: ${error.message}`);
    return EXIT.config;
  }
  say(`llmc-mcp: ${error instanceof Error ? error.stack ?? error.message : error}`);
  return EXIT.internal;
}
