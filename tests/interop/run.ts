/**
 * `make interop`: drives the executable with published clients, each doing a real job over stdio and HTTP with the default
 * limits, writes the results into docs/clients.md, and tries the sample configurations for nginx and Caddy. Needs node, npm,
 * the npm registry and bubblewrap; the samples also need root and Debian's archive. Arguments are packages to try alone; then
 * nothing is written.
 * @module
 */
import { debianBase } from "../../scripts/debian_base.ts";
import { print, ROOT } from "../../scripts/project.ts";
import { BINARY, Sandbox, startHttp } from "../support/binary.ts";

/** Clients, by the script that drives each, and the package that its row names. */
const CLIENTS = {
  sdk_v1: "@modelcontextprotocol/sdk",
  sdk_v2: "@modelcontextprotocol/client",
  langchain: "@langchain/mcp-adapters",
  ai_sdk: "@ai-sdk/mcp",
  openai_agents: "@openai/agents",
  mastra: "@mastra/mcp",
  adk: "@google/adk",
  mcp_remote: "mcp-remote",
  claude_code: "@anthropic-ai/claude-code",
  codex: "@openai/codex",
} as const;

/** Packages that reach servers over HTTP only. */
const HTTP_ONLY: readonly string[] = ["mcp-remote"];
/** Agents, which are given a stub model, and no network but the loopback. They start the server themselves. */
const AGENTS: readonly string[] = ["@anthropic-ai/claude-code", "@openai/codex"];
const ALONE = ["bwrap", "--unshare-net", "--dev-bind", "/", "/", "--die-with-parent"];

const SCRIPTS = new URL("clients", import.meta.url).pathname;
const PAGE = `${ROOT}/docs/clients.md`;
const START = "<!-- interop: written by make interop -->\n", END = "<!-- end of interop -->\n";
const TIMEOUT_MS = 180_000;

interface Row {
  readonly name: string;
  readonly version: string;
  readonly stdio: string;
  readonly http: string;
}

async function main(): Promise<number> {
  const folder = await Deno.makeTempDir({ prefix: "llmc-interop-" });
  try {
    await copyScripts(folder);
    await install(folder);
    const rows: Row[] = [];
    const wanted = Object.entries(CLIENTS).filter(([, name]) => Deno.args.length === 0 || Deno.args.includes(name));
    for (const [script, name] of wanted) rows.push(await drive(folder, script, name));
    const clientsWork = rows.every(({ stdio, http }) => stdio !== "fails" && http !== "fails");
    if (Deno.args.length > 0) return clientsWork ? 0 : 1;
    await writePage(rows);
    return await proxiesWork() && clientsWork ? 0 : 1;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function copyScripts(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(SCRIPTS)) await Deno.copyFile(`${SCRIPTS}/${name}`, `${folder}/${name}`);
}

async function install(folder: string): Promise<void> {
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { success, stderr } = await new Deno.Command("npm", { args, cwd: folder }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Runs one client against a server of its own; what it did not get through is in its row. */
async function drive(folder: string, script: string, name: string): Promise<Row> {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  const [program = "", ...args] = [...(AGENTS.includes(name) ? ALONE : []), "node", `${script}.mjs`];
  const { stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd: folder,
    env: { BINARY, ROOT: sandbox.root, URL: `${server.url}/mcp`, TOKEN: server.token, AGENT_HOME: sandbox.dir },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).output();
  const done = new TextDecoder().decode(stdout);
  const result = (transport: string) => done.includes(`"transport":"${transport}"`) ? "works" : "fails";
  const { version } = JSON.parse(await Deno.readTextFile(`${folder}/node_modules/${name}/package.json`));
  const stdio = HTTP_ONLY.includes(name) ? "-" : result("stdio"), http = AGENTS.includes(name) ? "-" : result("http");
  const row = { name, version, stdio, http };
  print(`${name} ${version}: stdio ${stdio}, HTTP ${http}`);
  if ([stdio, http].includes("fails")) print(new TextDecoder().decode(stderr));
  return row;
}

/** Runs the test of the sample configurations; true where it cannot be run, which it says. */
async function proxiesWork(): Promise<boolean> {
  if (Deno.uid() !== 0) {
    print("nginx, Caddy: skipped, because a Debian system can only be made by root");
    return true;
  }
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "tests/packages/proxies_test.ts"],
    cwd: ROOT,
    env: { LLMC_DEBIAN_BASE: await debianBase(), LLMC_BIN: BINARY },
    stdin: "null",
    stdout: "inherit",
  }).output();
  return success;
}

async function writePage(rows: readonly Row[]): Promise<void> {
  const page = await Deno.readTextFile(PAGE);
  const [before, rest = ""] = page.split(START), after = rest.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the results`);
  const lines = rows.map(({ name, version, stdio, http }) => `| \`${name}\` | ${version} | ${stdio} | ${http} |\n`);
  const table = `| package | version | stdio | HTTP |\n|---|---|---|---|\n${lines.join("")}`;
  await Deno.writeTextFile(PAGE, `${before}${START}${table}${END}${after}`);
}

if (import.meta.main) Deno.exit(await main());
