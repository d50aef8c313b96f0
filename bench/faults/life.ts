/** Fault rows for start and end of a server, and for its log of calls. @module */
import { PROTOCOL_VERSION, startServer } from "../peers/client.ts";
import { bad, ok, type Probe, SECRET } from "./probe.ts";
import { endsWithin } from "./running.ts";

const END_MS = 3_000;

/** First message, last message, and the log. */
export const LIFE: readonly Probe[] = [
  {
    key: "idle_end",
    title: "the input of an idle server ends",
    needs: [],
    async run({ server }) {
      await server.closeInput();
      return await endsWithin(server.exited, END_MS) ? ok("ends") : bad("lives on");
    },
  },
  {
    key: "discover_first",
    title: "`server/discover` before `initialize`",
    needs: [],
    async run({ contestant, place }) {
      await using server = await startServer(await contestant.command(place), { greet: false });
      const { result, error } = await server.request("server/discover", {});
      const clientInfo = { name: "bench", version: "1.0.0" };
      const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo };
      const hello = await server.request("initialize", params);
      if (hello.result === null) return bad("does not start after it");
      return result !== null ? ok("answered") : ok(`${error?.code}, goes on`);
    },
  },
  {
    key: "call_log",
    title: "what is kept on disk of calls",
    needs: [],
    async run({ contestant, place, server, write, call }) {
      const path = await write("kept.txt", `before ${SECRET}\n`);
      const calls = [
        contestant.read?.(path),
        contestant.write?.(`${place.root}/new.txt`, `content ${SECRET}\n`),
        contestant.run?.(`cat ${path}`),
        contestant.run?.(`echo --password=${SECRET}`),
      ];
      for (const one of calls) if (one !== undefined) await call(one);
      await server.closeInput();
      await endsWithin(server.exited, END_MS);
      const found = [...await filesWith(SECRET, place.home), ...await filesWith(SECRET, `${place.dir}/state`)];
      const [first] = found;
      if (first === undefined) return ok("no contents");
      return bad(`contents, mode ${((first.mode ?? 0) % 0o1000).toString(8)}`);
    },
  },
];

/** Files below a folder that hold a text. */
async function filesWith(text: string, folder: string): Promise<{ path: string; mode: number | null }[]> {
  const found: { path: string; mode: number | null }[] = [];
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await filesWith(text, path));
    if (!isFile) continue;
    const content = new TextDecoder("latin1").decode(await Deno.readFile(path));
    if (content.includes(text)) found.push({ path, mode: (await Deno.stat(path)).mode });
  }
  return found;
}
