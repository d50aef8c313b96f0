/** Fault rows for edits, writes and moves, judged by what is on disk afterwards. @module */
import { bad, ok, type Probe, soft, type Trial, type Verdict } from "./probe.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const same = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, index) => byte === b[index]);
const PARALLEL = 20;

/** Makes an edit of a file of these bytes and compares what comes out with what may. */
async function editBytes(
  { contestant, write, bytes, call }: Trial,
  before: Uint8Array,
  [oldText, newText]: readonly [string, string],
  outcomes: Readonly<{ right: Uint8Array; wrong: string; untouched: (isError: boolean) => Verdict }>,
): Promise<Verdict> {
  const path = await write("edited.txt", before);
  const { isError } = await call(contestant.edit?.(path, oldText, newText));
  const after = await bytes("edited.txt");
  if (same(after, outcomes.right) && !same(after, before)) return ok("right");
  return same(after, before) ? outcomes.untouched(isError) : bad(outcomes.wrong);
}

const refusalIsWrong = () => bad("no match");
const refusalIsRight = (isError: boolean) => isError ? ok("refused") : soft("refused, not flagged");

/** Byte for byte. */
export const EDITING: readonly Probe[] = [
  {
    key: "edit_bom",
    title: "an edit keeps the byte order mark, on line 1 too",
    needs: ["edit"],
    async run(trial) {
      const first = await editBytes(trial, encode("\ufefffirst\nsecond\n"), ["first", "FIRST"], {
        right: encode("\ufeffFIRST\nsecond\n"),
        wrong: "mark lost",
        untouched: refusalIsWrong,
      });
      if (first.verdict !== "ok") return first;
      return await editBytes(trial, encode("\ufefffirst\nsecond\n"), ["second", "SECOND"], {
        right: encode("\ufefffirst\nSECOND\n"),
        wrong: "mark lost",
        untouched: refusalIsWrong,
      });
    },
  },
  {
    key: "edit_crlf",
    title: "an edit of several lines in a CRLF file, asked for with LF",
    needs: ["edit"],
    run: (trial) =>
      editBytes(trial, encode("one\r\ntwo\r\nthree\r\nfour\r\n"), ["two\nthree", "2\n3"], {
        right: encode("one\r\n2\r\n3\r\nfour\r\n"),
        wrong: "line ends changed",
        untouched: refusalIsWrong,
      }),
  },
  {
    key: "edit_mixed_ends",
    title: "an edit in a file with both line ends",
    needs: ["edit"],
    run: (trial) =>
      editBytes(trial, encode("one\r\ntwo\nthree\r\nfour\n"), ["three", "3"], {
        right: encode("one\r\ntwo\n3\r\nfour\n"),
        wrong: "line ends changed",
        untouched: refusalIsWrong,
      }),
  },
  {
    key: "edit_latin1",
    title: "an edit beside a line that is not UTF-8",
    needs: ["edit"],
    run: (trial) => {
      const line = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a);
      const join = (text: string) => Uint8Array.from([...line, ...encode(text)]);
      return editBytes(trial, join("second\nthird\n"), ["third", "3"], {
        right: join("second\n3\n"),
        wrong: "other bytes changed",
        untouched: refusalIsRight,
      });
    },
  },
  {
    key: "edit_ambiguous",
    title: "an edit that fits two places",
    needs: ["edit"],
    run: (trial) =>
      editBytes(trial, encode("same\nother\nsame\n"), ["same", "changed"], {
        right: encode("(refused)"),
        wrong: "edited one of them",
        untouched: refusalIsRight,
      }),
  },
  {
    key: "edit_not_found",
    title: "an edit that fits nowhere is flagged as an error",
    needs: ["edit"],
    run: (trial) =>
      editBytes(trial, encode("one\ntwo\n"), ["there is no such line at all", "x"], {
        right: encode("(refused)"),
        wrong: "edited something",
        untouched: (isError) => isError ? ok("flagged") : bad("not flagged"),
      }),
  },
  {
    key: "edit_indentation",
    title: "an edit with the wrong indentation",
    needs: ["edit"],
    run: (trial) => {
      const before = "def f(x):\n    if x:\n        y = 1\n        return y\n    return 0\n";
      const changed = before.replace("y = 1", "y = 2").replace("return y", "return y + 1");
      return editBytes(trial, encode(before), ["y = 1\nreturn y", "y = 2\nreturn y + 1"], {
        right: encode(changed),
        wrong: "indentation lost",
        untouched: refusalIsRight,
      });
    },
  },
  {
    key: "write_atomic",
    title: "a reader never sees half a file",
    needs: ["write"],
    run: readWhileWriting,
  },
  {
    key: "parallel_edits",
    title: "20 parallel edits of one file",
    needs: ["edit"],
    async run({ contestant, write, text, call }) {
      const lines = Array.from({ length: PARALLEL }, (_, index) => `value_${index}_old;`);
      const path = await write("parallel.txt", `${lines.join("\n")}\n`);
      const answers = await Promise.all(
        lines.map((line) => call(contestant.edit?.(path, line, line.replace("old", "new")))),
      );
      const kept = (await text("parallel.txt")).match(/_new;/g)?.length ?? 0;
      const claimed = answers.filter(({ isError }) => !isError).length;
      const note = `${kept} of ${PARALLEL} kept, ${claimed} reported`;
      return kept === PARALLEL && claimed === PARALLEL ? ok(note) : bad(note);
    },
  },
  {
    key: "identity",
    title: "an edit keeps the executable bit and hard links",
    needs: ["edit"],
    async run({ contestant, place, write, text, call }) {
      const path = await write("tool.sh", "echo old\n");
      await Deno.chmod(path, 0o755);
      const { isError } = await call(contestant.edit?.(path, "old", "new"));
      if (isError) return bad("not edited");
      if (((await Deno.stat(path)).mode ?? 0) % 0o1000 !== 0o755) return bad("executable bit lost");
      const linked = await write("linked.txt", "echo old\n");
      await Deno.link(linked, `${place.root}/other-name.txt`);
      await call(contestant.edit?.(linked, "old", "new"));
      return await text("other-name.txt") === "echo new\n" ? ok("both kept") : bad("hard link broken");
    },
  },
  {
    key: "move_onto_existing",
    title: "a move onto an existing file",
    needs: ["move"],
    async run({ contestant, write, text, call }) {
      const source = await write("source.txt", "source\n"), target = await write("target.txt", "precious\n");
      const { isError } = await call(contestant.move?.(source, target));
      if (await text("target.txt") !== "precious\n") return bad("overwritten");
      return isError ? ok("refused") : soft("refused, not flagged");
    },
  },
];

const ATOMIC_LINES = 20_000, REWRITES = 12;
const ATOMIC_BYTES = ATOMIC_LINES * 100;

/** Begins and ends with the letter. */
function fill(letter: string): string {
  return Array.from({ length: ATOMIC_LINES }, () => letter.repeat(99)).join("\n") + letter;
}

/** Rewrites a large file again and again while a reader looks at its size and its two ends. */
async function readWhileWriting({ contestant, write, call }: Trial): Promise<Verdict> {
  const path = await write("large.txt", fill("a"));
  let looks = 0, torn = 0, writing = true;
  const looking = (async () => {
    while (writing) {
      looks++;
      if (!await isWhole(path)) torn++;
    }
  })();
  for (let turn = 0; turn < REWRITES; turn++) {
    const answer = await call(contestant.write?.(path, fill(turn % 2 === 0 ? "b" : "a")));
    if (answer.isError) {
      writing = false;
      await looking;
      return bad(`not written: ${answer.text.slice(0, 60)}`);
    }
  }
  writing = false;
  await looking;
  return torn > 0 ? bad(`half a file in ${torn} of ${looks} looks`) : ok("whole in every look");
}

/** One open file is one state of the file: its size is full, and it begins and ends alike. */
async function isWhole(path: string): Promise<boolean> {
  using file = await Deno.open(path);
  const { size } = await file.stat();
  if (size !== ATOMIC_BYTES) return false;
  const ends = new Uint8Array(2);
  await file.read(ends.subarray(0, 1));
  await file.seek(ATOMIC_BYTES - 1, Deno.SeekMode.Start);
  await file.read(ends.subarray(1));
  return ends[0] === ends[1];
}
