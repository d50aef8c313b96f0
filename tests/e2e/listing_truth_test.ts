/** Every count, `total` and `more` of a listing, a read and a handle equals that of a plain reference, on generated trees. @module */
import assert from "node:assert/strict";
import { Sandbox } from "../support/binary.ts";
import { makeRandom, type Random } from "../support/random.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const SEEDS = [11, 12, 13, 14];
const NAMES = ["a", "b", "lib", "out", "Zoë", "x y", ".env", ".cache", "app.log"];
const IGNORE = "out\n*.log\n";
type Call = (name: string, args: Record<string, unknown>) => Promise<Answer>;
// deno-lint-ignore no-explicit-any -- the fields of four tools, each looked at by name
type Answer = any;

/** Paths of files; folders are what their names say. */
function generate({ below, pick }: Random): string[] {
  const files = new Set<string>();
  for (let count = 0; count < 70; count++) {
    const folders = Array.from({ length: below(4) }, () => pick(NAMES));
    files.add([...folders, `f${below(12)}.txt`].join("/"));
  }
  return [...files];
}

const parentsOf = (path: string) => path.split("/").map((_, at, parts) => parts.slice(0, at).join("/")).slice(1);
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const isHidden = (path: string) => nameOf(path).startsWith(".");
const isIgnored = (path: string) => /^out$|\.log$/.test(nameOf(path));

/** What a listing of the root has to say: an own walk over all paths, without the product's code. */
function reference(files: readonly string[], depth: number, withHidden: boolean, withIgnored: boolean) {
  const all = new Set([...files, ...files.flatMap(parentsOf)]);
  const isLeftOut = (path: string) => !withHidden && isHidden(path) || !withIgnored && isIgnored(path);
  const reached = [...all].filter((path) =>
    path.split("/").length <= depth && !parentsOf(path).some((parent) => isLeftOut(parent))
  );
  return {
    listed: reached.filter((path) => !isLeftOut(path)).sort(),
    hidden: withHidden ? 0 : reached.filter(isHidden).length,
    ignored: withIgnored ? 0 : reached.filter((path) => isIgnored(path) && (withHidden || !isHidden(path))).length,
  };
}

/** Everything behind a handle, in pages; each page says truly how many lines there are, and whether more follow. */
async function readAll(call: Call, handle: string, page: number): Promise<string[]> {
  const lines: string[] = [];
  for (let more = true; more;) {
    const answer = await call("linux_handle_read", { handle, offset: lines.length, limit: page });
    lines.push(...answer.content.split("\n").slice(0, answer.returned));
    assert.equal(answer.more, lines.length < answer.total);
    more = answer.more;
    assert.ok(answer.returned > 0 || !more, "a page without lines ends the handle");
  }
  return lines;
}

async function withServer(files: Record<string, string>, test: (call: Call) => Promise<void>): Promise<void> {
  await using sandbox = await Sandbox.make(files);
  const args = ["--set", "mcp.tools.result_format=json", "--set", "mcp.tools.result_tokens=60000"];
  await using peer = await StdioPeer.open(sandbox, { args });
  await test(async (name, asked) => {
    const text = await peer.call(name, asked);
    return text.startsWith("{") ? JSON.parse(text) : assert.fail(text);
  });
}

for (const seed of SEEDS) {
  Deno.test(`seed ${seed}: a listing shows or counts every entry, and its handle has them all`, async () => {
    const random = makeRandom(seed), files = generate(random);
    const planted = Object.fromEntries(
      [...files, ".gitignore"].map((path) => [path, path === ".gitignore" ? IGNORE : "x"]),
    );
    await withServer(planted, async (call) => {
      for (const depth of [1, 2, 10]) {
        for (
          const [include_hidden, withIgnored] of [[false, false], [true, false], [false, true], [true, true]] as const
        ) {
          const expected = reference([...files, ".gitignore"], depth, include_hidden, withIgnored);
          for (const max_entries of [1, 9, 5_000]) {
            const asked = { depth, include_hidden, respect_gitignore: !withIgnored, max_entries };
            const answer = await call("linux_fs_list", asked), context = JSON.stringify(asked);
            const shown = answer.entries.map(({ path }: { path: string }) => path);
            assert.equal(answer.truncated, expected.listed.length > max_entries, context);
            assert.deepEqual(shown.filter((path: string) => !expected.listed.includes(path)), [], context);
            assert.equal(new Set(shown).size, Math.min(max_entries, expected.listed.length), context);
            if (!answer.truncated) {
              assert.deepEqual([answer.hidden, answer.ignored], [expected.hidden, expected.ignored], context);
              assert.deepEqual([answer.handle, answer.omitted, answer.unopened], [null, [], 0], context);
              continue;
            }
            const all = await readAll(call, answer.handle, 7);
            assert.deepEqual(all.map((path) => path.replace(/\/$/, "")).sort(), expected.listed, context);
            if (answer.unopened > 0) continue;
            const omitted = answer.omitted.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
            assert.equal(shown.length + omitted, expected.listed.length, context);
          }
        }
      }
    });
  });

  Deno.test(`seed ${seed}: a read counts the lines of its file, and its handle has them all`, async () => {
    const random = makeRandom(seed);
    const lines = Array.from({ length: random.below(40) + 1 }, (_, at) => random.chance(0.3) ? "" : `line ${at}`);
    const end = random.chance(0.5) ? "\n" : "", text = lines.join("\n") + end;
    const expected = (end === "" && lines.at(-1) === "") ? lines.slice(0, -1) : lines;
    await withServer({ "a.txt": text }, async (call) => {
      for (const max_lines of [1, 5, 2_000]) {
        for (const offset_lines of [0, 3, -4]) {
          const { content, meta, handle } = await call("linux_fs_read", { path: "a.txt", max_lines, offset_lines });
          const start = offset_lines < 0 ? Math.max(0, expected.length + offset_lines) : offset_lines;
          const wanted = expected.slice(start, start + max_lines),
            context = JSON.stringify({ max_lines, offset_lines });
          assert.equal(meta.total_lines, expected.length, context);
          assert.equal(meta.returned_lines, wanted.length, context);
          assert.equal(content, wanted.join("\n"), context);
          assert.equal(meta.truncated, start + wanted.length < expected.length, context); // lines follow
          if (handle !== null) assert.deepEqual(await readAll(call, handle, 4), expected, context);
        }
      }
    });
  });
}
