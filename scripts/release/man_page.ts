/** Generates the manual page from the program's own help. @module */
import type { HelpPage } from "./help_pages.ts";
import { PRODUCT } from "./product.ts";

/** Renders llmc-mcp(1). @param time Seconds since 1970, the page's date. */
export function renderManPage(pages: readonly HelpPage[], time: number): string {
  const date = new Date(time * 1000).toISOString().slice(0, 10);
  const [top, ...commands] = pages;
  if (top === undefined) throw new Error("the program has no help");
  return [
    `.TH LLMC-MCP 1 ${date} "${PRODUCT.name} ${PRODUCT.version}" "User Commands"`,
    ".SH NAME",
    escape(`llmc-mcp - ${PRODUCT.summary.replace(/^S/, "s")}`),
    ".SH SYNOPSIS",
    ".B llmc-mcp",
    "COMMAND [OPTION]...",
    ".SH DESCRIPTION",
    escape(PRODUCT.description),
    ".SH COMMANDS",
    ...commands.flatMap(commandSection),
    ".SH FILES",
    ...FILES.flatMap(([path, meaning]) => [".TP", `.I ${escape(path)}`, escape(meaning)]),
    ".SH ENVIRONMENT",
    ...VARIABLES.flatMap(([name, meaning]) => [".TP", `.B ${escape(name)}`, escape(meaning)]),
    ".SH EXIT STATUS",
    ...CODES.flatMap(([code, meaning]) => [".TP", `.B ${code}`, escape(meaning)]),
    ".SH EXAMPLES",
    ...preformatted(top.text.match(/^Examples:\n((?: .*\n?)*)/m)?.[1] ?? ""),
    ".SH SEE ALSO",
    ".BR bwrap (1),",
    ".BR rg (1)",
    "",
  ].join("\n");
}

function commandSection({ words, text }: HelpPage): string[] {
  return [`.SS "llmc-mcp ${words.join(" ")}"`, ...preformatted(text)];
}

/** Text whose columns matter. */
function preformatted(text: string): string[] {
  return [".nf", ".ft CW", ...text.trimEnd().split("\n").map(escape), ".ft", ".fi"];
}

/** Keeps troff from reading text as requests, and hyphens from becoming something else. */
function escape(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^([.'])/, "\\&$1");
}

const FILES: readonly (readonly [string, string])[] = [
  ["./llmc.toml, ~/.config/llmc/llmc.toml, /etc/llmc/llmc.toml", "Configuration; the first that exists is used."],
  [
    "~/.local/state/llmc-mcp",
    "Data directory: records, handles, search index. The service keeps it in /var/lib/llmc-mcp.",
  ],
];

const VARIABLES: readonly (readonly [string, string])[] = [
  ["LLMC_CONFIG", "Configuration file to read."],
  ["LLMC_ROOT", "Folder that tools may use when nothing else sets a root; a relative mcp.te.script_path begins there."],
  ["LLMC_MCP_TOKEN", "Token that HTTP callers must send, unless the configuration names another variable or a file."],
  ["LLMC_MCP__SECTION__KEY", "Any key of the configuration, such as LLMC_MCP__SERVER__PORT."],
  ["NO_COLOR", "No colours when set."],
];

const CODES: readonly (readonly [string, string])[] = [
  ["0", "Done."],
  ["1", "A tool failed, or doctor found an error."],
  ["64", "The command line is not valid."],
  ["69", "The server could not start: the sandbox self-test failed, the port is in use, or something is missing."],
  ["70", "An internal error; --verbose prints a stack trace."],
  ["74", "Standard output could not be written."],
  ["78", "The configuration is not valid, or there is no token."],
];
