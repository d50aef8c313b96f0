/** Every count of a search and a listing equals that of a plain reference, on generated trees. @module */
import assert from "node:assert/strict";
import { makeRandom, type Random } from "../support/random.ts";
import { Sandbox } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const SEEDS = [1, 2, 3, 4, 5, 6];
const NAMES = ["a", "b", "lib", "out", "a.txt", "b.log", "Zoë.md", "x y.ts", ".env", ".github", "lib.rs", "nul.js"];

/** A file of the tree: hidden, ignored, or neither. */
interface Planted {
  readonly path: string;
  readonly lines: readonly string[];
  readonly hidden: boolean;
  readonly ignored: boolean;
}

/** Compares paths name by name. */
const order = (a: string, b: string): number => a.replaceAll("/", "\0") < b.replaceAll("/", "\0") ? -1 : 1;

function generate({ below, pick, chance }: Random): Map<string, Planted> {
  const files = new Map<string, Planted>(), folders = new Set<string>();
  for (let count = 0; count < 60; count++) {
    const parts = Array.from({ length: 1 + below(3) }, () => pick(NAMES));
    const path = parts.join("/"), parents = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
    if (folders.has(path) || files.has(path) || parents.some((parent) => files.has(parent))) continue;
    for (const parent of parents) folders.add(parent);
    const lines = Array.from({ length: below(12) }, (_, index) => chance(0.4) ? `needle ${index}` : `hay ${index}`);
    const hidden = parts.some((part) => part.startsWith("."));
    const ignored = parts.some((part) => part === "out") || /\.log$/.test(path) ||
      parts.some((part) => /\.log$/.test(part));
    files.set(path, { path, lines, hidden, ignored });
  }
  return files;
}

for (const seed of SEEDS) {
  Deno.test(`seed ${seed}: counts, order and what is left out of searches agree with a plain reference`, async () => {
    const random = makeRandom(seed), planted = [...generate(random).values()];
    await using sandbox = await Sandbox.make({ ".gitignore": "out\n*.log\n" });
    for (const { path, lines } of planted) {
      // Some texts have a NUL in their first line, as a log has that was cut.
      const first = path.endsWith("nul.js") ? "\0\0\n" : "\n";
      await sandbox.write(path, first + lines.map((line) => `${line}\n`).join(""));
    }
    const set = ["--set", "mcp.tools.result_format=json", "--set", "mcp.tools.result_tokens=60000"];
    await using peer = await StdioPeer.open(sandbox, { args: set });
    for (
      const scope of [{}, { include_hidden: true }, { include_ignored: true }, {
        include_hidden: true,
        include_ignored: true,
      }]
    ) {
      const { include_hidden = false, include_ignored = false } = scope as Record<string, boolean>;
      const counts = planted.filter(({ hidden, ignored }) =>
        (include_hidden || !hidden) && (include_ignored || !ignored)
      );
      const expected = counts.sort((a, b) => order(a.path, b.path)).flatMap(({ path, lines }) =>
        lines.flatMap((line, index) => line.startsWith("needle") ? [`${path}:${index + 2}`] : [])
      );
      for (const max_results of [1, 7, 1_000]) {
        const answer = await peer.call("linux_search_content", { pattern: "needle", max_results, ...scope });
        const { hits, total_hits, truncated, handle, left_out } = JSON.parse(answer);
        const found = hits.map(({ path, line }: { path: string; line: number }) => `${path}:${line}`);
        assert.deepEqual(found, expected.slice(0, max_results), JSON.stringify(scope));
        assert.equal(total_hits, expected.length);
        assert.equal(truncated, expected.length > max_results);
        assert.equal(handle !== null, truncated);
        assert.equal("hidden" in left_out, !include_hidden);
        if (include_ignored) assert.ok(!("ignored" in left_out));
      }
      const byFile = new Map<string, number>();
      for (const place of expected) {
        const path = place.slice(0, place.lastIndexOf(":"));
        byFile.set(path, (byFile.get(path) ?? 0) + 1);
      }
      const wanted = [...byFile].map(([path, count]) => ({ path, count }));
      for (const output of ["files", "count"]) {
        const answer = await peer.call("linux_search_content", {
          pattern: "needle",
          max_results: 1_000,
          output,
          ...scope,
        });
        const { files, total_files, total_hits, hits } = JSON.parse(answer);
        assert.deepEqual([hits, total_files, total_hits], [[], wanted.length, expected.length]);
        if (output === "files") assert.deepEqual(files, wanted);
        else assert.deepEqual(files, wanted.toSorted((a, b) => b.count - a.count));
      }
      const names = JSON.parse(await peer.call("linux_search_files", { pattern: "*", max_results: 2_000, ...scope }));
      const all = counts.map(({ path }) => path).concat(include_hidden ? [".gitignore"] : []);
      assert.equal(names.total_hits, all.length);
      assert.deepEqual(names.hits.map(({ path }: { path: string }) => path).sort(), all.sort());
    }
  });
}

Deno.test("a search that finds more than it counts gives the same first hits every time, and says that it stopped", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`d${index % 7}/f${index}.txt`, "word\n".repeat(20)]),
  );
  await using sandbox = await Sandbox.make(files);
  await using peer = await StdioPeer.open(sandbox);
  const answers = new Set<string>();
  for (let time = 0; time < 5; time++) {
    const answer = await peer.call("linux_search_content", { pattern: "word", max_results: 5 });
    answers.add(answer.replace(/H_\w+/, "H"));
    assert.match(answer, /more than 2000 hits, counting stopped there/);
  }
  assert.equal(answers.size, 1, [...answers].join("\n---\n"));
  assert.match([...answers][0] ?? "", /^d0\/f0\.txt\n/);
});

Deno.test("what a search leaves out is named by its reason, beside hits and without", async () => {
  await using sandbox = await Sandbox.make({
    ".gitignore": "*.log\nout/\n",
    "kept.txt": "token\n",
    ".env": "token\n",
    "app.log": "token\n",
    "out/made.txt": "token\n",
    "source.js": 'const SEP = "\0";\nconst token = 1;\n',
  });
  await Deno.symlink("kept.txt", `${sandbox.root}/link.txt`);
  await Deno.writeFile(
    `${sandbox.root}/tool.bin`,
    new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, ...new TextEncoder().encode("token\n")]),
  );
  await using peer = await StdioPeer.open(sandbox);
  const some = await peer.call("linux_search_content", { pattern: "token" });
  assert.match(some, /kept\.txt\n1:token\nsource\.js\n2:const token = 1;\n/);
  assert.match(
    some,
    /not searched: 2 ignored \(app\.log, out\/\), 2 hidden \(\.env, \.gitignore\), 1 binary \(tool\.bin\), 1 links \(link\.txt\)/,
  );
  const none = await peer.call("linux_search_content", { pattern: "absent", file_glob: "*.log" });
  assert.match(none, /^\[no hits for 'absent' .* · not searched: 1 ignored \(app\.log\)\]$|not searched: 2 ignored/);
  assert.match(await peer.call("linux_search_files", { pattern: "kept" }), /^kept\.txt\n\[not searched: /);
});

Deno.test("patterns that ask for it match over line ends; a dot alone does not", async () => {
  await using sandbox = await Sandbox.make({ "a.js": "x\nbegin {\n  middle\n}\nend\n" });
  await using peer = await StdioPeer.open(sandbox);
  for (
    const pattern of [
      "(?s)begin.*?middle",
      "begin[\\s\\S]*?middle",
      "begin[^}]*middle",
      "begin \\{\\s+middle",
      "(?is:BEGIN.*middle)",
    ]
  ) {
    assert.match(await peer.call("linux_search_content", { pattern }), /2:begin \{/, pattern);
  }
  assert.match(await peer.call("linux_search_content", { pattern: "begin.*middle" }), /no hits/);
  assert.match(
    await peer.call("linux_search_content", { pattern: "mid[^z]*" }),
    /^a\.js\n3: {2}middle\n\[1 hit in 1 file\]$/,
  );
});

Deno.test("a line feed in a pattern matches the line ends of Windows too, where it is not spelled otherwise", async () => {
  await using sandbox = await Sandbox.make({
    "crlf.txt": "one (\r\ntwo\r\nthree\r\n",
    "lf.txt": "one (\ntwo\nthree\n",
  });
  await using peer = await StdioPeer.open(sandbox);
  const files = async (pattern: string, literal = false) =>
    (await peer.call("linux_search_content", { pattern, literal, output: "files" })).match(/\w+\.txt/g);
  assert.deepEqual(await files("one.*\ntwo"), ["crlf.txt", "lf.txt"]);
  assert.deepEqual(await files("two\\nthree\\n+"), ["crlf.txt", "lf.txt"]);
  assert.deepEqual(await files("one (\ntwo", true), ["crlf.txt", "lf.txt"]);
  assert.deepEqual(await files("two\\r\\nthree"), ["crlf.txt"]);
  assert.deepEqual(await files("two[\\n]three"), ["lf.txt"]);
  assert.deepEqual(await files("two[[:space:]\\n]+three"), ["crlf.txt", "lf.txt"]);
});
