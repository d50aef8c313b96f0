/** Fault rows for reading, listing and searching. @module */
import { bad, hangs, ok, type Probe, soft } from "./probe.ts";

/** What is strange to read, and what a search must say. */
export const READING: readonly Probe[] = [
  {
    key: "fifo_read",
    title: "read a named pipe that nobody writes to",
    needs: ["read"],
    async run({ contestant, place, server, call }) {
      const path = `${place.root}/pipe`;
      await new Deno.Command("mkfifo", { args: [path] }).output();
      const answer = await call(contestant.read?.(path));
      if (!hangs(answer)) return answer.isError ? ok("refused") : soft("answered");
      server.kill("SIGKILL"); // it does not end by itself any more
      return bad("hangs");
    },
  },
  {
    key: "binary_read",
    title: "read a binary file",
    needs: ["read"],
    async run({ contestant, write, call }) {
      const bytes = Uint8Array.from({ length: 4_096 }, (_, index) => (index * 197 + (index >> 3)) % 256);
      const path = await write("data.bin", bytes);
      const { text } = await call(contestant.read?.(path));
      const garbage = text.match(/[\ufffd\0]/g)?.length ?? 0;
      return garbage > 10 ? bad(`${garbage} characters of garbage`) : ok("described or refused");
    },
  },
  {
    key: "newline_in_name",
    title: "a file name with a line break in a listing",
    needs: ["list"],
    async run({ contestant, place, write, call }) {
      await write("first\nsecond.txt", "x\n");
      const { text } = await call(contestant.list?.(place.root));
      if (!text.includes("second.txt")) return bad("not listed");
      const torn = text.split("\n").some((line) => line.includes("second.txt") && !line.includes("first"));
      return torn ? bad("two rows") : ok("one row");
    },
  },
  {
    key: "unknown_argument",
    title: "an argument that a tool does not have",
    needs: ["read"],
    async run({ contestant, write, call }) {
      const path = await write("a.txt", "x\n");
      const read = contestant.read?.(path);
      if (read === undefined) return bad("no such tool");
      const { text } = await call({ ...read, args: { ...read.args, colour_of_lines: "red" } });
      return text.includes("colour_of_lines") ? ok("named") : bad("silently dropped");
    },
  },
  {
    key: "search_bad_regex",
    title: "search with an expression that is none",
    needs: ["search"],
    async run({ contestant, server, place, write }) {
      await write("a.txt", "a(b\n");
      const answer = await contestant.search?.(server, place.root, "a(b", { regex: true });
      if (answer === undefined) return bad("no such tool");
      const explains = /regex|pattern|unclosed|parse/i.test(answer.text);
      if (/no (?:matches|results)/i.test(answer.text) || !explains) return bad("reported as nothing found");
      return answer.isError ? ok("explained") : soft("explained, not flagged");
    },
  },
  {
    key: "search_limit",
    title: "search limited to 3 hits",
    needs: ["search"],
    async run({ contestant, server, place, write }) {
      for (let index = 0; index < 30; index++) await write(`file_${index}.txt`, "needlework\n".repeat(3));
      const answer = await contestant.search?.(server, place.root, "needlework", { maxHits: 3 });
      // The pattern itself may be repeated in the answer.
      const rows = answer?.text.split("\n").filter((line) => /\bneedlework$/.test(line)).length ?? 0;
      return rows > 3 ? bad(`${rows} rows`) : rows === 0 ? bad("no hits") : ok(`${rows} rows`);
    },
  },
];
