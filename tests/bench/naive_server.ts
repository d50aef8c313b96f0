/** Naive server that every injected fault must detect. @module */

type Args = Record<string, string>;

async function shell(command: string): Promise<string> {
  const child = new Deno.Command("bash", { args: ["-c", command], stdin: "piped", stdout: "piped" }).spawn();
  children.push(child);
  return await new Response(child.stdout).text();
}

/** Their inputs stay open. */
const children: Deno.ChildProcess[] = [];

/** Between reading a file and writing it, in which another edit reads the same. */
const THINKING_MS = 20;

const TOOLS: Record<string, (args: Args) => Promise<string>> = {
  read: ({ path = "" }) => Deno.readTextFile(path),
  list: async ({ path = "" }) => (await Array.fromAsync(Deno.readDir(path), ({ name }) => name)).join("\n"),
  write: ({ path = "", content = "" }) => Deno.writeTextFile(path, content).then(() => "written"),
  async edit({ path = "", old = "", new: text = "" }) {
    const before = (await Deno.readTextFile(path)).replaceAll("\r\n", "\n").replace("\ufeff", "");
    await new Promise((resolve) => setTimeout(resolve, THINKING_MS));
    await Deno.remove(path).catch(() => {}); // a new file with a new identity
    await Deno.writeTextFile(path, before.includes(old) ? before.replace(old, text) : `${before}${text}`);
    return "edited";
  },
  move: ({ source = "", target = "" }) => Deno.rename(source, target).then(() => "moved"),
  run: ({ command = "" }) => shell(command),
  search: ({ pattern = "" }) => shell(`grep -rhF '${pattern}' . || echo No matches found`),
};

function answer(id: number, result: unknown): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`));
}

async function serve(line: string): Promise<void> {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method !== "tools/call") return answer(id, { instructions: "" });
  await Deno.writeTextFile(`${Deno.env.get("HOME")}/calls.log`, `${line}\n`, { append: true });
  const text = await TOOLS[params.name]?.(params.arguments).catch(String) ?? "";
  answer(id, { content: [{ type: "text", text }] });
}

let rest = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  rest += text;
  for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
    void serve(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
}
if (Deno.args.includes("--stay")) setInterval(() => {}, 60_000); // it does not end with its input
else Deno.exit(0);
