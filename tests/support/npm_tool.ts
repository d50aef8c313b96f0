/** Runs third-party programs from npm at fixed versions under Deno, with their own lock file. @module */
import { type Finished } from "./binary.ts";

const TOOLS = {
  conformance: "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
  inspector: "npm:@modelcontextprotocol/inspector@2.12.0/inspector",
  "mcp-remote": "npm:mcp-remote@0.15.1/mcp-remote",
} as const;

/** Name of one of them. */
export type NpmTool = keyof typeof TOOLS;

/** Modules that are loaded before one of them. */
const PRELOAD: Partial<Record<NpmTool, string>> = {
  inspector: new URL("inspector_preload.ts", import.meta.url).pathname,
};

const LOCK = new URL("npm_tools.lock", import.meta.url).pathname;
const TIMEOUT_MS = 120_000;

/** The command that starts one; its environment is only what is given, and where Deno keeps what it has downloaded. */
export function npmTool(name: NpmTool, args: readonly string[], env: Readonly<Record<string, string>>): Deno.Command {
  const preload = PRELOAD[name], before = preload === undefined ? [] : [`--preload=${preload}`];
  const options = ["-A", "--quiet", "--no-prompt", "--no-config", ...before, `--lock=${LOCK}`, "--frozen"];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", ...options, TOOLS[name], ...args],
    clearEnv: true,
    env: { ...denoEnv(), ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** Runs one until it has printed a line of JSON; some go on for as long as the server keeps a stream open to them. */
export async function firstJson(
  name: NpmTool,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<unknown> {
  const child = npmTool(name, args, env).spawn();
  await child.stdin.close();
  const errors = new Response(child.stderr).text();
  let output = "", found: unknown;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    if (found !== undefined) continue; // it is being ended
    output += text;
    const line = output.split("\n").slice(0, -1).find((each) => each.startsWith("{"));
    if (line === undefined) continue;
    found = JSON.parse(line);
    try {
      child.kill("SIGKILL");
    } catch {
      // it has ended by itself
    }
  }
  await child.status;
  if (found === undefined) throw new Error(`no JSON: ${output}${await errors}`);
  await errors;
  return found;
}

/** Runs one to its end, without input. */
export async function runNpmTool(
  name: NpmTool,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Finished> {
  const child = npmTool(name, args, env).spawn();
  await child.stdin.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

function denoEnv(): Record<string, string> {
  const home = Deno.env.get("HOME") ?? "/";
  const env: Record<string, string> = { DENO_DIR: Deno.env.get("DENO_DIR") ?? `${home}/.cache/deno` };
  for (const name of ["PATH", "DENO_TLS_CA_STORE", "NPM_CONFIG_REGISTRY", "DENO_CERT"]) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  return env;
}
