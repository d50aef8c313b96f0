/**
 * Keeps a server running for one job and forwards calls from the command line over a socket in the job's folder, one
 * line of JSON in each direction.
 * @module
 */
import { startServer } from "../peers/client.ts";
import { readLines } from "../peers/lines.ts";
import { contestantOf } from "./contestants.ts";
import { loadO200k } from "../tokens/tokenizers.ts";
import { type CallRecord, recordCall } from "./record.ts";
import { readState, writeRecord } from "./state.ts";

/** A job that was not ended by then is given up. */
const MAX_LIFE_MS = 60 * 60_000;

async function main(dir: string): Promise<void> {
  const { job, server: key, place } = await readState(dir), count = await loadO200k();
  const contestant = await contestantOf(key);
  await using server = await startServer(
    await contestant.command({ ...place, dir, outside: dir, [Symbol.asyncDispose]: async () => {} }),
  );
  const tools = await server.listTools();
  const listed = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, input_schema: inputSchema })
  );
  const listTokens = [server.instructions, ...listed].reduce((total, text) => total + count(text), 0);
  await Deno.writeTextFile(`${dir}/tools.txt`, [server.instructions, ...listed].join("\n"));
  const calls: CallRecord[] = [];
  const save = () => writeRecord(dir, { job, server: key, listTokens, calls });
  await save();
  using listener = Deno.listen({ transport: "unix", path: `${dir}/socket` });
  const timer = setTimeout(() => listener.close(), MAX_LIFE_MS);
  let isOver = false;
  while (!isOver) {
    using connection = await listener.accept();
    const asked = Promise.withResolvers<string>();
    void readLines(connection.readable, asked.resolve).catch(() => {}); // the caller goes away when it has its answer
    const { tool, args } = JSON.parse(await asked.promise);
    isOver = tool === null;
    const answer = isOver ? null : await server.call(tool, args);
    if (answer !== null) calls.push(recordCall(tool, args, answer, count));
    await save();
    const writer = connection.writable.getWriter();
    await writer.write(new TextEncoder().encode(`${JSON.stringify(answer)}\n`));
    writer.releaseLock();
  }
  clearTimeout(timer);
}

if (import.meta.main) await main(Deno.args[0] ?? "");
