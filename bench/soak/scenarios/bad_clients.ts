/** Scenario: clients that are slow, do not read, or disconnect in the middle. @module */
import { badLines, makeFolders, pause, type Scenario, type Setting } from "../scenario.ts";
import type { Outcome } from "../../../scripts/reports/reliability.ts";
import { type HttpSpeaker, speakHttp } from "../speakers.ts";
import { orphansOf, sample } from "../watch.ts";

const SLOW = 40, VANISHING = 40, UNREAD = 60;
const MAX_HEALTH_MS = 5_000, MAX_MEMORY_BYTES = 600e6;

export const badClients: Scenario = {
  name: "slow and vanishing clients",
  share: 0.06,
  async run({ program, dir, durationMs, scale }: Setting): Promise<Outcome> {
    const { root, env } = await makeFolders(dir);
    await Deno.writeTextFile(`${root}/big.txt`, "x".repeat(999).concat("\n").repeat(900));
    const speaker = await speakHttp({ program, root, env, args: ["--set", "mcp.tools.idle_timeout=2"] });
    const faults: string[] = [];
    const slow = Array.from({ length: Math.ceil(SLOW * scale) }, (_, index) => dribble(speaker, index, durationMs));
    const vanishing = Array.from({ length: Math.ceil(VANISHING * scale) }, () => vanish(speaker));
    await pause(500);
    const startedMs = performance.now();
    await (await fetch(`${speaker.url}/health`)).text();
    const healthMs = performance.now() - startedMs;
    if (healthMs > MAX_HEALTH_MS) faults.push(`health took ${healthMs.toFixed(0)} ms among bad clients`);
    await Promise.all([...slow, ...vanishing]);
    await pause(4_500); // past the idle timeout
    const left = await orphansOf(speaker.pid);
    if (left.length > 0) faults.push(`${left.length} programs of vanished clients run on`);
    const after = await sample(speaker.pid);
    const { code, text } = await speaker.call("linux_fs_stat", { path: "big.txt" });
    if (code !== null) faults.push(`no answer to a good client afterwards: ${text}`);
    await speaker.close();
    const deaf = await deafClient(program, root, env, Math.max(10, Math.ceil(UNREAD * scale)));
    return {
      figures: {
        "slow clients": slow.length,
        "vanishing clients": vanishing.length,
        "health among them, ms": healthMs.toFixed(0),
        "descriptors afterwards": after?.descriptors ?? "–",
        "memory while nobody reads, MB": (deaf.rssBytes / 1e6).toFixed(0),
      },
      faults: [...faults, ...deaf.faults, ...badLines(speaker.log())],
    };
  },
};

/** Sends its request letter by letter and never to its end. */
async function dribble({ url }: HttpSpeaker, index: number, durationMs: number): Promise<void> {
  const { hostname, port } = new URL(url), encoder = new TextEncoder();
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const text = `POST /tool HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 1000\r\n`;
  try {
    for (const character of text.slice(0, 20 + index)) {
      await connection.write(encoder.encode(character));
      await pause(durationMs / 400);
    }
  } catch {
    // the server has had enough of it
  }
}

/** Asks for a long command and goes away. */
async function vanish({ url, token }: HttpSpeaker): Promise<void> {
  const body = JSON.stringify({ session_id: "v", name: "run_cmd", args: { argv: ["sleep", "300"], timeout: 300 } });
  await fetch(`${url}/tool`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-LLMC-Token": token },
    body,
    signal: AbortSignal.timeout(1_000),
  }).then((answer) => answer.text(), () => {});
}

/** A client over stdio that asks for much and reads nothing of it for a while. */
async function deafClient(program: string, root: string, env: Readonly<Record<string, string>>, requests: number) {
  const faults: string[] = [], encoder = new TextEncoder();
  const child = new Deno.Command(program, {
    args: ["stdio", "--root", root, "--set", "mcp.limits.concurrency_per_token=64"],
    env: { ...env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const send = (message: unknown) =>
    writer.write(encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", ...Object(message) })}\n`));
  const clientInfo = { name: "deaf", version: "1" };
  await send({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  await send({ method: "notifications/initialized", params: {} });
  const params = { name: "read_file", arguments: { path: "big.txt" } };
  const sending = (async () => {
    for (let id = 1; id <= requests; id++) await send({ id, method: "tools/call", params });
  })();
  await pause(4_000);
  const rssBytes = (await sample(child.pid))?.rssBytes ?? 0;
  if (rssBytes > MAX_MEMORY_BYTES) faults.push(`${(rssBytes / 1e6).toFixed(0)} MB for answers that nobody read`);
  const ids = new Set<number>();
  const reading = readIds(child.stdout, ids);
  await sending;
  for (let wait = 0; wait < 300 && ids.size < requests + 1; wait++) await pause(100);
  if (ids.size < requests + 1) faults.push(`${requests + 1 - ids.size} of ${requests} answers never came`);
  await writer.close();
  await Promise.all([child.status, reading]);
  return { faults, rssBytes };
}

async function readIds(stream: ReadableStream<Uint8Array<ArrayBuffer>>, ids: Set<number>): Promise<void> {
  let line = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const pieces = (line + text).split("\n");
    line = pieces.pop() ?? "";
    for (const piece of pieces) ids.add(Number(JSON.parse(piece).id));
  }
}
