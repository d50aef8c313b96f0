import assert from "node:assert/strict";
import { makeSearch, type Search } from "../../../src/sys/search/ripgrep.ts";
import type { ContentRequest, FilesRequest } from "../../../src/sys/search/search.ts";
import { testRipgrep } from "../../support/ripgrep.ts";
import { tempTree } from "../../support/temp_tree.ts";
import { writeProgram } from "../write_program.ts";

const NEVER = new AbortController().signal;

const rg = makeSearch({ program: await testRipgrep(), closed: [] });
const builtin = makeSearch({ program: null, closed: [] });

type Files = Record<string, string | Uint8Array>;

async function withTree(files: Files, test: (root: string) => Promise<void>): Promise<void> {
  await using tree = await tempTree(files);
  await test(tree.root);
}

const contentRequest = (root: string, pattern: string, more: Partial<ContentRequest> = {}): ContentRequest => ({
  root,
  pattern,
  literal: false,
  ignoreCase: true,
  contextLines: 0,
  maxHits: 100,
  includeHidden: false,
  includeIgnored: false,
  ...more,
});

const filesRequest = (root: string, pattern: string, more: Partial<FilesRequest> = {}): FilesRequest => ({
  root,
  pattern,
  includeHidden: false,
  includeIgnored: false,
  ...more,
});

/** `path:line:text` of every hit, from both engines, which must agree. */
async function find(root: string, pattern: string, more: Partial<ContentRequest> = {}): Promise<string[]> {
  const [a, b] = await Promise.all(
    [rg, builtin].map((search) => search.content(contentRequest(root, pattern, more), NEVER)),
  );
  assert.deepEqual([a?.engine, b?.engine], ["rg", "builtin"]);
  assert.deepEqual(b?.hits, a?.hits, `${pattern} ${JSON.stringify(more)}`);
  assert.equal(b?.complete, a?.complete);
  return a?.hits.map(({ path, line, text }) => `${path}:${line}:${text}`) ?? [];
}

async function names(root: string, pattern: string, more: Partial<FilesRequest> = {}): Promise<readonly string[]> {
  const [a, b] = await Promise.all(
    [rg, builtin].map((search) => search.files(filesRequest(root, pattern, more), NEVER)),
  );
  assert.deepEqual(b?.paths, a?.paths, `${pattern} ${JSON.stringify(more)}`);
  return a?.paths ?? [];
}

Deno.test("search.content finds lines by expression, by text, with and without case", async () => {
  await withTree({ "a.txt": "Hello World\nhello\nx.y\nxzy\n", "sub/b.txt": "no\nHELLO\n" }, async (root) => {
    assert.deepEqual(await find(root, "hello"), ["a.txt:1:Hello World", "a.txt:2:hello", "sub/b.txt:2:HELLO"]);
    assert.deepEqual(await find(root, "hello", { ignoreCase: false }), ["a.txt:2:hello"]);
    assert.deepEqual(await find(root, "x.y"), ["a.txt:3:x.y", "a.txt:4:xzy"]);
    assert.deepEqual(await find(root, "x.y", { literal: true }), ["a.txt:3:x.y"]);
    assert.deepEqual(await find(root, "^h\\w+$"), ["a.txt:2:hello", "sub/b.txt:2:HELLO"]);
    assert.deepEqual(await find(root, "(?P<a>l)lo [[:upper:]]", { ignoreCase: false }), ["a.txt:1:Hello World"]);
    assert.deepEqual(await find(root, "nowhere"), []);
  });
});

Deno.test("search.content takes a pattern that begins with a dash for a pattern", async () => {
  await withTree({ "a.txt": "--files\n-x\n" }, async (root) => {
    assert.deepEqual(await find(root, "--files"), ["a.txt:1:--files"]);
    assert.deepEqual(await find(root, "-x", { literal: true }), ["a.txt:2:-x"]);
  });
});

Deno.test("search.content gives context, joined where hits are near", async () => {
  await withTree({ "a.txt": "1\n2\nhit A\n4\nhit B\n6\n7\n8\n" }, async (root) => {
    await find(root, "hit", { contextLines: 2 });
    const { hits } = await rg.content(contentRequest(root, "hit", { contextLines: 2 }), NEVER);
    assert.deepEqual(hits.map(({ before, after }) => [before, after]), [
      [["1", "2"], ["4", "hit B"]],
      [["hit A", "4"], ["6", "7"]],
    ]);
  });
});

Deno.test("search.content stops at its bound, over all files together, and says so", async () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}.txt`, "word\n".repeat(50)]));
  await withTree(files, async (root) => {
    for (const search of [rg, builtin]) {
      const some = await search.content(contentRequest(root, "word", { maxHits: 3 }), NEVER);
      assert.deepEqual([some.hits.length, some.complete], [3, false]);
      const all = await search.content(contentRequest(root, "word", { maxHits: 1000 }), NEVER);
      assert.deepEqual([all.hits.length, all.complete], [1000, true]);
    }
  });
});

Deno.test("search.content searches a root that is one file, whatever its name", async () => {
  await withTree({ "-odd.txt": "needle\n", ".env": "needle\n" }, async (root) => {
    assert.deepEqual(await find(`${root}/-odd.txt`, "needle"), [":1:needle"]);
    assert.deepEqual(await find(`${root}/.env`, "needle"), [":1:needle"]);
    await assert.rejects(names(`${root}/-odd.txt`, "odd"), { code: "NOT_A_DIRECTORY" });
  });
});

Deno.test("search leaves out hidden and ignored files unless asked, and the inside of .git always", async () => {
  const files = {
    ".gitignore": "*.log\n/out/\n",
    "a.txt": "x",
    "b.log": "x",
    "out/c.txt": "x",
    ".hidden.txt": "x",
    ".dir/d.txt": "x",
    ".git/config": "x",
    "sub/.gitignore": "!keep.log\nown.txt",
    "sub/keep.log": "x",
    "sub/own.txt": "x",
    "sub/.ignore": "e.txt",
    "sub/e.txt": "x",
  };
  await withTree(files, async (root) => {
    const paths = async (more: Partial<ContentRequest>) =>
      (await find(root, "^x$", more)).map((hit) => hit.replace(/:.*/, ""));
    assert.deepEqual(await paths({}), ["a.txt", "sub/keep.log"]);
    assert.deepEqual(await paths({ includeHidden: true }), [".dir/d.txt", ".hidden.txt", "a.txt", "sub/keep.log"]);
    assert.deepEqual(await paths({ includeIgnored: true }), [
      "a.txt",
      "b.log",
      "out/c.txt",
      "sub/e.txt",
      "sub/keep.log",
      "sub/own.txt",
    ]);
    assert.deepEqual(await paths({ fileGlob: "*.log" }), ["sub/keep.log"]);
    assert.deepEqual(await paths({ fileGlob: "*.{log,txt}" }), ["a.txt", "sub/keep.log"]);
    assert.deepEqual(await names(root, "a"), ["a.txt"]);
    assert.deepEqual(await names(`${root}/out`, "c"), ["c.txt"]);
    assert.deepEqual(await names(`${root}/sub`, "keep"), ["keep.log"]);
    assert.deepEqual(await names(root, "config", { includeHidden: true, includeIgnored: true }), []);
  });
});

Deno.test("search filters by glob on names and on paths", async () => {
  await withTree(
    { "a.ts": "x", "a.js": "x", "src/b.ts": "x", "src/deep/c.ts": "x", "test/d.ts": "x" },
    async (root) => {
      const paths = async (fileGlob: string) =>
        (await find(root, "x", { fileGlob })).map((hit) => hit.replace(/:.*/, ""));
      assert.deepEqual(await paths("*.ts"), ["a.ts", "src/b.ts", "src/deep/c.ts", "test/d.ts"]);
      assert.deepEqual(await paths("src/*.ts"), ["src/b.ts"]);
      assert.deepEqual(await paths("src/**"), ["src/b.ts", "src/deep/c.ts"]);
      assert.deepEqual(await paths("*.ts,!test/**"), ["a.ts", "src/b.ts", "src/deep/c.ts"]);
      assert.deepEqual(await paths("[ac].*"), ["a.js", "a.ts", "src/deep/c.ts"]);
    },
  );
});

Deno.test("search.files is case-smart, takes globs and ranks names before folders", async () => {
  const tree = { "app/x.ts": "", "src/app.ts": "", "src/App.tsx": "", "src/deep/application.ts": "", "b.md": "" };
  await withTree(tree, async (root) => {
    assert.deepEqual(await names(root, "app"), [
      "src/app.ts",
      "src/App.tsx",
      "src/deep/application.ts",
      "app/x.ts",
    ]);
    assert.deepEqual(await names(root, "App"), ["src/App.tsx"]);
    assert.deepEqual(await names(root, "*.TS"), []);
    assert.deepEqual(await names(root, "a*.ts"), ["src/app.ts", "src/deep/application.ts"]);
    assert.deepEqual(await names(root, "src/*"), ["src/app.ts", "src/App.tsx"]);
    assert.deepEqual(await names(root, "nothing"), []);
  });
});

Deno.test("search shows names as they are: line ends, quotes, bytes that are not UTF-8", async () => {
  await withTree({ 'new\nline "q".txt': "needle\n", "sub dir/é漢.txt": "needle\n" }, async (root) => {
    await new Deno.Command("sh", { args: ["-c", "printf 'needle\\n' > \"$(printf 'bad\\377.txt')\""], cwd: root })
      .output();
    const { hits } = await rg.content(contentRequest(root, "needle"), NEVER);
    assert.deepEqual(hits.map(({ path }) => path), ["bad\udcff.txt", 'new\nline "q".txt', "sub dir/é漢.txt"]);
    const { paths } = await rg.files(filesRequest(root, "*.txt"), NEVER);
    assert.deepEqual([...paths].sort(), ["bad\udcff.txt", 'new\nline "q".txt', "sub dir/é漢.txt"]);
  });
});

Deno.test("search.content reads UTF-16, shows Latin-1 with U+FFFD, passes over binary files", async () => {
  const wide = Uint8Array.from(
    [0xff, 0xfe, ..."wide needle é\r\n"].flatMap((unit) => typeof unit === "number" ? [unit] : [unit.charCodeAt(0), 0]),
  );
  const files = { "wide.txt": wide, "latin.txt": Uint8Array.of(...new TextEncoder().encode("needle caf"), 0xe9, 10) };
  await withTree({
    ...files,
    "bin.dat": "\x7fELF\0b needle\n",
    "nul.txt": "a\0b\nneedle nul\n",
    "crlf.txt": "one\r\nneedle\r\n",
  }, async (root) => {
    assert.deepEqual(await find(root, "needle"), [
      "crlf.txt:2:needle",
      "latin.txt:1:needle caf\ufffd",
      "nul.txt:2:needle nul",
      "wide.txt:1:wide needle é",
    ]);
    assert.deepEqual(await find(root, "needle$"), ["crlf.txt:2:needle"]);
  });
});

Deno.test("search.content cuts long lines around the match", async () => {
  await withTree({ "a.json": `${"é".repeat(100_000)}NEEDLE${"y".repeat(3_000_000)}\n` }, async (root) => {
    const [hit = ""] = await find(root, "needle");
    assert.match(hit, /^a\.json:1:\[\+\d+\]…é+NEEDLEy+…\[\+\d+\]$/);
    assert.ok(hit.length < 300);
  });
});

Deno.test("search.content finds matches that span lines", async () => {
  await withTree({ "a.txt": "zero\nfoo(\n  bar)\nend\nfoo(\n  bar)\n" }, async (root) => {
    assert.deepEqual(await find(root, "foo\\(\\n\\s+bar"), ["a.txt:2:foo(\n  bar)", "a.txt:5:foo(\n  bar)"]);
    assert.deepEqual(await find(root, "zero\nfoo", { literal: true }), ["a.txt:1:zero\nfoo("]);
  });
});

Deno.test("search.content answers for a pattern that cannot be read with the engine's own words", async () => {
  await withTree({ "a.txt": "" }, async (root) => {
    for (const search of [rg, builtin]) {
      await assert.rejects(search.content(contentRequest(root, "a(b"), NEVER), {
        code: "INVALID_ARGUMENT",
        message: /unclosed group|Unterminated group/,
        hint: /literal/,
      });
      await assert.rejects(search.content(contentRequest(root, "a", { fileGlob: "," }), NEVER), {
        code: "INVALID_ARGUMENT",
      });
    }
    await assert.rejects(rg.content(contentRequest(root, "(?=x"), NEVER), (error: Error) => {
      assert.ok(!error.message.includes("~~~"), error.message);
      return true;
    });
    await assert.rejects(builtin.content(contentRequest(root, "(a+)+$"), NEVER), { code: "INVALID_ARGUMENT" });
  });
});

Deno.test("search.content knows look-around", async () => {
  await withTree({ "a.txt": "foobar\nfoobaz\n" }, async (root) => {
    assert.deepEqual(await find(root, "foo(?!bar)"), ["a.txt:2:foobaz"]);
  });
});

Deno.test("search never shows what is closed", async () => {
  await withTree({ "data/x.txt": "secret", "llmc[1].toml": "secret", "open.txt": "secret" }, async (root) => {
    const closed = [`${root}/data`, `${root}/llmc[1].toml`];
    for (const program of [await testRipgrep(), null]) {
      const search = makeSearch({ program, closed });
      for (const more of [{}, { includeHidden: true, includeIgnored: true }, { fileGlob: "*" }]) {
        const { hits } = await search.content(contentRequest(root, "secret", more), NEVER);
        assert.deepEqual(hits.map(({ path }) => path), ["open.txt"]);
        assert.deepEqual((await search.files(filesRequest(root, "", more), NEVER)).paths, ["open.txt"]);
      }
      for (const inside of closed) {
        await assert.rejects(search.content(contentRequest(inside, "secret"), NEVER), { code: "INVALID_PATH" });
      }
    }
  });
});

Deno.test("search does not follow links out of its root", async () => {
  await withTree({ "in/a.txt": "needle", "out/b.txt": "needle" }, async (root) => {
    await Deno.symlink(`${root}/out`, `${root}/in/link`);
    await Deno.symlink(`${root}/out/b.txt`, `${root}/in/b.txt`);
    assert.deepEqual(await find(`${root}/in`, "needle"), ["a.txt:1:needle"]);
    assert.deepEqual(await names(`${root}/in`, ""), ["a.txt"]);
  });
});

Deno.test("search refuses roots that are pipes or gone", async () => {
  await withTree({ "a.txt": "" }, async (root) => {
    await new Deno.Command("mkfifo", { args: [`${root}/pipe`] }).output();
    for (const search of [rg, builtin]) {
      await assert.rejects(search.content(contentRequest(`${root}/pipe`, "x"), NEVER), { code: "INVALID_PATH" });
      await assert.rejects(search.files(filesRequest(`${root}/gone`, "x"), NEVER), { code: "NOT_FOUND" });
      assert.deepEqual((await search.content(contentRequest(root, "x"), NEVER)).hits, []); // the pipe is passed over
    }
  });
});

Deno.test("search falls back to the built-in engine when ripgrep cannot be started", async () => {
  await withTree({ "a.txt": "needle" }, async (root) => {
    const broken = makeSearch({ program: "/nonexistent/rg", closed: [] });
    const { engine, hits } = await broken.content(contentRequest(root, "needle"), NEVER);
    assert.deepEqual([engine, hits.length], ["builtin", 1]);
  });
});

/** Processes of this one that work below a root: other tests have children too. */
function children(root: string): string[] {
  const found: string[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const [, state, parent] = Deno.readTextFileSync(`/proc/${name}/stat`).match(/\) (.) (\d+)/) ?? [];
      const isOurs = Deno.readTextFileSync(`/proc/${name}/cmdline`).includes(root);
      if (parent === String(Deno.pid) && isOurs) found.push(`${name} ${state}`);
    } catch {
      // it has just ended
    }
  }
  return found;
}

/** A program that looks like a search that takes its time. It waits by itself, so that it keeps its command line. */
async function slowProgram(root: string): Promise<Search> {
  await new Deno.Command("mkfifo", { args: [`${root}/never`] }).output();
  await writeProgram(`${root}/slow`, `#!/bin/sh\nread -r _ <'${root}/never'\n`);
  return makeSearch({ program: `${root}/slow`, closed: [] });
}

Deno.test("a search that is cancelled ends at once and leaves no process behind", async () => {
  await using tree = await tempTree({ "a.txt": "x" });
  const { root } = tree;
  const slow = await slowProgram(root);
  const stop = new AbortController();
  const searching = slow.content(contentRequest(root, "x"), stop.signal);
  while (children(root).length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  stop.abort(new Error("cancelled"));
  await assert.rejects(searching, { message: "cancelled" }); // by itself it would never end
  assert.deepEqual(children(root), []);
});

Deno.test("search leaves no process behind after it stopped at its bound", async () => {
  await withTree({ "a.txt": "word\n".repeat(200_000) }, async (root) => {
    await rg.content(contentRequest(root, "word", { maxHits: 5 }), NEVER);
    assert.deepEqual(children(root), []);
  });
});

Deno.test("many searches at once run four at a time, and one that waits can be cancelled", async () => {
  await withTree({ "a.txt": "x" }, async (root) => {
    const slow = await slowProgram(root);
    const stop = new AbortController(), stopOne = new AbortController();
    const all = Array.from({ length: 12 }, () => slow.content(contentRequest(root, "x"), stop.signal).catch(String));
    const waiting = slow.content(contentRequest(root, "x"), stopOne.signal);
    while (children(root).length < 4) await new Promise((resolve) => setTimeout(resolve, 1));
    stopOne.abort(new Error("not wanted any more"));
    await assert.rejects(waiting, { message: "not wanted any more" });
    assert.equal(children(root).length, 4);
    stop.abort(new Error("stop"));
    assert.deepEqual(new Set(await Promise.all(all)), new Set(["Error: stop"]));
    assert.deepEqual(children(root), []);
  });
});

Deno.test("forty real searches at once all answer", async () => {
  await withTree({ "a.txt": "needle\n", "b.txt": "hay\n" }, async (root) => {
    const results = await Promise.all(
      Array.from({ length: 40 }, () => rg.content(contentRequest(root, "needle"), NEVER)),
    );
    assert.deepEqual(new Set(results.map(({ hits }) => hits.length)), new Set([1]));
  });
});

Deno.test("the built-in search lets others work while it goes through a large file", async () => {
  await withTree({ "big.log": "a line of a log that says nothing\n".repeat(1_000_000) + "needle\n" }, async (root) => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const { hits } = await builtin.content(contentRequest(root, "needle", { contextLines: 1 }), NEVER);
    clearInterval(timer);
    assert.deepEqual(hits.map(({ line, before }) => [line, before.length]), [[1_000_001, 1]]);
    assert.ok(turns >= 5, `the event loop turned ${turns} times`);
  });
});

Deno.test("both engines agree on a random tree", async () => {
  let seed = 11;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below;
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] ?? items[0] as T;
  const words = ["alpha", "Beta", "gamma_1", "x.y", "foo(bar)", "", "é漢", "  tab\t", "end"];
  const parts = ["src", "lib", ".cfg", "out", "a b", "test"], ends = ["\n", "\n", "\r\n"];
  const files: Files = { ".gitignore": "out\n*.tmp\n", "src/.gitignore": "/skip\n!x.tmp\n" };
  for (let count = 0; count < 150; count++) {
    const path = [
      ...Array.from({ length: random(4) }, () => pick(parts)),
      pick(["a.ts", "b.md", "x.tmp", "skip", ".z"]),
    ];
    files[path.join("/")] = Array.from({ length: random(12) }, () => `${pick(words)} ${pick(words)}${pick(ends)}`).join(
      "",
    );
  }
  await withTree(files, async (root) => {
    const patterns = ["alpha", "beta|gamma", "x.y", "^$", "\\bend$", "foo\\(", "[^a-z ]+", "é", "a\\s+b"];
    for (let round = 0; round < 120; round++) {
      const literal = random(3) === 0, contextLines = random(3), pattern = pick(patterns);
      await find(root, pattern, {
        literal,
        contextLines,
        ignoreCase: random(2) === 0,
        includeHidden: random(2) === 0,
        includeIgnored: random(2) === 0,
        maxHits: 5000,
        fileGlob: pick([undefined, "*.ts", "src/**", "*.{ts,md}", "!*.md"]),
      });
      await names(root, pick(["a", "src/", "*.tmp", "TS", "x"]), {
        includeHidden: random(2) === 0,
        includeIgnored: random(2) === 0,
      });
    }
  });
});

Deno.test("search refuses a NUL in a pattern or a glob, which no program could be given", async () => {
  await withTree({ "a.txt": "a\n" }, async (root) => {
    for (const search of [rg, builtin]) {
      const asked = [
        search.content(contentRequest(root, "a\0"), NEVER),
        search.content(contentRequest(root, "a", { fileGlob: "*\0" }), NEVER),
        search.files(filesRequest(root, "\0"), NEVER),
        search.files(filesRequest(root, "a", { fileGlob: "\0" }), NEVER),
      ];
      for (const answer of asked) await assert.rejects(answer, { code: "INVALID_ARGUMENT", message: /NUL/ });
    }
  });
});
