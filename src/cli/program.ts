/** Defines the commands, their arguments and their options. @module */
import { Command, Option } from "commander";
import { VERSION } from "../core/version.ts";
import { CLIENTS } from "./client_snippets.ts";
import { addExamples } from "./examples.ts";
import { print, say } from "./output.ts";
import type { ConfigFlags } from "./settings.ts";

/** Makes the program; `exit` is told the exit code of the command that ran. */
export function makeProgram(exit: (code: number) => void): Command {
  const program = new Command("llmc-mcp")
    .description("A sandboxed MCP server for Linux with compact output.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "Print help for a command.")
    .configureHelp({ subcommandTerm: (command) => command.name() }) // one line for each
    .showHelpAfterError("(llmc-mcp --help lists the commands)")
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: (text) => say(text.trimEnd()) });
  addServers(program, exit);
  addTool(program, exit);
  addUndo(program, exit);
  addConfiguration(program, exit);
  addCodeSearch(program, exit);
  // It reads its own words; here it is only listed.
  program.command("te").description("Run one command and print compact output.");
  withVerbose(program.command("completion").description("Print the completion script for a shell."))
    .addArgument(program.createArgument("<shell>", "shell").choices(["bash", "zsh", "fish"]))
    .action(async (shell: "bash" | "zsh" | "fish") =>
      exit((await import("./commands/completion.ts")).completion(shell, program))
    );
  withVerbose(program.command("version").description("Print the version.")).action(() => print(`${VERSION}\n`));
  addExamples(program);
  return program;
}

type Exit = (code: number) => void;

function addServers(program: Command, exit: Exit): void {
  withConfig(program.command("stdio").description("Serve MCP over stdin and stdout; clients start this."))
    // Clients that ask their user for folders can only append them.
    .argument("[roots...]", "more roots, as with --root; a folder that does not exist is ignored")
    .action(async (roots: string[], flags: ConfigFlags) =>
      exit(await (await import("./commands/serve.ts")).stdio(roots, flags))
    );
  withConfig(program.command("serve").description("Serve MCP and REST over HTTP."))
    .option("--fresh-token", "generate a token for this run and print it")
    .option("--host <host>", "address to listen on")
    .option("--port <port>", "port to listen on; 0 takes any free port")
    .action(async (flags: ConfigFlags & { freshToken?: boolean }) =>
      exit(await (await import("./commands/serve.ts")).serve(flags))
    );
  withConfig(program.command("top").description("Watch a running server in the terminal."))
    .option("--url <url>", "address of the server (default: as configured)")
    .option("--token-env <variable>", "environment variable that holds the token (default: as configured)")
    .action(async (flags: ConfigFlags & { url?: string; tokenEnv?: string }) =>
      exit(await (await import("./commands/top.ts")).top(flags))
    );
}

function addTool(program: Command, exit: Exit): void {
  const command = withConfig(
    program.command("tool").description("Run one tool and print its result, or list all tools."),
  )
    .argument("[name]", "name of the tool")
    .argument("[arguments...]", "key=value pairs; values that are JSON are parsed")
    .option("--json", "print the full structured result")
    // Our own, because after a name it shows the arguments of that tool.
    .helpOption(false)
    .option("-h, --help", "print help; after a name, the arguments of that tool");
  command.action(
    async (
      name: string | undefined,
      pairs: string[],
      { help, ...flags }: ConfigFlags & { json?: boolean; help?: boolean },
    ) => {
      if (help !== true) return exit(await (await import("./commands/tool.ts")).tool(name, pairs, flags));
      if (name === undefined) command.outputHelp();
      else exit((await import("./commands/tool_help.ts")).toolHelp(name));
    },
  );
}

function addUndo(program: Command, exit: Exit): void {
  const chosen = (command: Command) =>
    withConfig(command)
      .argument("[operation]", "an operation such as op_7f")
      .option("--since <time>", "all operations since then: 30m, 2h, today, or an ISO time")
      .option("--path <path>", "only this file or folder")
      .option("--json", "print JSON");
  chosen(
    program.command("undo").description(
      "Undo what tools and programs changed in files; by default the last operation.",
    ),
  )
    .option("--dry-run", "print what would be restored")
    .action(async (op: string | undefined, flags: ConfigFlags) =>
      exit(await (await import("./commands/undo.ts")).undo(op, flags))
    );
  chosen(program.command("changes").description("Print what tools changed in files, newest first."))
    .option("--session <id>", "only of this session; the beginning of its id is enough")
    .option("--diff", "print the changed lines")
    .action(async (op: string | undefined, flags: ConfigFlags) =>
      exit(await (await import("./commands/undo.ts")).changes(op, flags))
    );
}

const CONFIG_COMMANDS = {
  show: "Print every effective value and which layer set it.",
  check: "Check the configuration; exits with 78 if it is not valid.",
  schema: "Print the JSON Schema of llmc.toml.",
  path: "Print which configuration file is used.",
};

function addConfiguration(program: Command, exit: Exit): void {
  withConfig(program.command("doctor").description("Check this machine and the configuration; suggest fixes."))
    .option("--json", "print JSON")
    .action(async (flags: ConfigFlags & { json?: boolean }) =>
      exit(await (await import("./commands/doctor.ts")).doctor(flags))
    );
  const config = program.command("config").description("Create, check or print the configuration.");
  withVerbose(config.command("init").description("Create a configuration file; an existing one is never changed."))
    .addOption(rootOption())
    .option("--config <file>", "file to create (default: ~/.config/llmc/llmc.toml)")
    .action(async (flags: ConfigFlags) => exit((await import("./commands/config_init.ts")).configInit(flags)));
  for (const [name, description] of Object.entries(CONFIG_COMMANDS)) {
    withConfig(config.command(name).description(description))
      .option("--json", "print JSON")
      .action(async (flags: ConfigFlags) => exit(await (await import("./commands/config.ts")).config(name, flags)));
  }
  withVerbose(program.command("print-config").description("Print the snippet that connects a client."))
    .addArgument(program.createArgument("<client>", "client").choices(Object.keys(CLIENTS)))
    .addOption(rootOption().default([] as string[], "the current folder"))
    .option("--url <url>", "address of a running server, instead of one that the client starts")
    .action(async (client: string, flags: { root: string[]; url?: string }) =>
      exit((await import("./commands/print_config.ts")).printConfig(client, flags))
    );
}

function addCodeSearch(program: Command, exit: Exit): void {
  withConfig(program.command("index").description("Update the code search index and print its status."))
    .option("--status", "print the status only")
    .option("--rebuild", "rebuild the index from scratch")
    .option("--json", "print JSON")
    .action(async (flags: ConfigFlags) => exit(await (await import("./commands/index.ts")).index(flags)));
  const rag = program.command("rag").description("Search code by meaning.");
  withConfig(rag.command("search").description("Print the code snippets that answer a question best."))
    .argument("<question>", "words, a name or an error message")
    .addOption(new Option("--scope <scope>", "what to search").choices(["repo", "docs", "both"]))
    .option("--k <count>", "maximum number of snippets")
    .option("--budget <tokens>", "maximum number of tokens")
    .option("--json", "print the full structured result")
    .action(async (question: string, flags: ConfigFlags) =>
      exit(await (await import("./commands/index.ts")).ragSearchCommand(question, flags))
    );
}

/** Options of every command that reads the configuration. */
function withConfig(command: Command): Command {
  return withVerbose(
    command
      .addOption(rootOption())
      .option("--config <file>", "configuration file")
      .addOption(new Option("--set <key=value>", "set one configuration key; repeatable").argParser(collect)),
  );
}

function withVerbose(command: Command): Command {
  return command.option("--verbose", "log everything, and print stack traces");
}

function rootOption(): Option {
  return new Option("--root <dir>", "folder that tools may use; repeatable").argParser(collect);
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...before ?? [], value];
}
