/** Lower bounds without any server: a compiled echo, a spawned program, a raw search, files of /proc. @module */
import { denortAtHand, denortFromNpm } from "../../scripts/denort.ts";
import { CACHE } from "./install.ts";
import { findProgram } from "./place.ts";

/** The smallest server: answers every line at once with a result of the same size as a short answer. */
const ECHO = `const text = new TextDecoder(), bytes = new TextEncoder();
let rest = "";
for await (const chunk of Deno.stdin.readable) {
  rest += text.decode(chunk, { stream: true });
  for (let end = rest.indexOf("\\n"); end >= 0; end = rest.indexOf("\\n")) {
    const { id } = JSON.parse(rest.slice(0, end));
    rest = rest.slice(end + 1);
    if (id === undefined) continue;
    const result = { content: [{ type: "text", text: "echo" }] };
    Deno.stdout.writeSync(bytes.encode(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n"));
  }
}
`;

/** Compiles the echo server once. @returns its path; undefined where the runtime for it cannot be had */
export async function compileEcho(): Promise<string | undefined> {
  const path = `${CACHE}/echo-${Deno.version.deno}`, source = `${CACHE}/echo.ts`;
  if (await Deno.stat(path).then(() => true, () => false)) return path;
  await Deno.mkdir(CACHE, { recursive: true });
  await Deno.writeTextFile(source, ECHO);
  const compile = async (env: Record<string, string>) => {
    const args = ["compile", "-q", "--no-check", "--no-config", "-A", "--output", path, source];
    const command = new Deno.Command(Deno.execPath(), { args, env, stdout: "null", stderr: "null" });
    return (await command.output()).success;
  };
  const atHand = Deno.env.get("DENORT_BIN") ?? await denortAtHand(Deno.build.arch);
  if (await compile(atHand === undefined ? {} : { DENORT_BIN: atHand })) return path;
  const fetched = await denortFromNpm(Deno.build.arch).catch(() => undefined);
  return fetched !== undefined && await compile({ DENORT_BIN: fetched }) ? path : undefined;
}

/** Starts a program and reads all that it prints. @throws Error when it fails, other than by finding nothing */
export async function runProgram(program: string, args: readonly string[]): Promise<void> {
  const command = new Deno.Command(program, { args: [...args], stdin: "null", stdout: "piped", stderr: "null" });
  const { code } = await command.output();
  if (code > 1) throw new Error(`${program} ended with ${code}`);
}

/** The ripgrep that a server would take: the machine's, else the one that is embedded. */
export async function ripgrepAtHand(): Promise<string> {
  return await findProgram("rg") ?? new URL("../../assets/rg", import.meta.url).pathname;
}

/** Reads what a list of processes is made of: four files of each. */
export function readProcesses(): Promise<void> {
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    for (const file of ["stat", "status", "cmdline", "statm"]) {
      try {
        Deno.readFileSync(`/proc/${name}/${file}`);
      } catch {
        break; // it has ended
      }
    }
  }
  return Promise.resolve();
}
