/** Counts of searches, listings, git and logs equal those of a plain reference, on generated output. @module */
import assert from "node:assert/strict";
import { enrich, unreadMark } from "../../src/condense/enrich.ts";
import type { Random } from "../support/random.ts";
import { BUDGET_TOKENS, property, range, sumOf, word } from "./property.ts";

/** Paths in a few folders, each once. */
function paths(random: Random, count: number): string[] {
  const folders = range(2 + random.below(12)).map(() => `${word(random)}/${word(random)}`);
  return [...new Set(range(count).map((i) => `${random.pick(folders)}/${word(random)}${i}.ts`))].sort();
}

for (const argv of [["grep", "-rn", "needle"], ["rg", "-n", "needle"], ["git", "grep", "-n", "needle"]]) {
  property(`${argv.join(" ")}: hits shown and left out make all`, (random) => {
    const files = paths(random, 5 + random.below(60));
    const lines = files.flatMap((path) =>
      range(1 + random.below(9)).map((i) =>
        `${path}:${i * 3 + 1}:  const x${random.below(40)} = needle(${i}); // ${word(random)}`
      )
    );
    return {
      argv,
      lines,
      check({ matchCount, text }) {
        assert.equal(matchCount, lines.length);
        const head = /^\[… (\d+) matches in (\d+) files?/.exec(text);
        if (head) assert.deepEqual(head.slice(1, 3).map(Number), [lines.length, new Set(files).size]);
        const numbers = [...text.matchAll(/^(?:[\w/.]+:)?([\d,]+):/gm)].map((match) =>
          (match[1] ?? "").split(",").length
        );
        const shown = numbers.reduce((sum, count) => sum + count, 0);
        const others = /\[… more in (.*)\]/.exec(text)?.[1] ?? "";
        const hidden = sumOf(text, /\[… (\d+) more here\]/g) + sumOf(others, / (\d+)(?:,|$)/g);
        assert.equal(shown + hidden, lines.length);
      },
    };
  });
}

property("grep -h names no number of files", (random) => {
  const lines = range(200 + random.below(300)).map((i) => `${i}:needle ${word(random)} ${word(random)}`);
  return {
    argv: ["grep", "-rhn", "needle", "src"],
    lines,
    check({ matchCount, text }) {
      assert.equal(matchCount, lines.length);
      assert.doesNotMatch(text, /in \d+ files?/);
    },
  };
});

property("grep -c: files and hits", (random) => {
  const rows = paths(random, 20 + random.below(200)).map((path) => [path, random.below(5)] as const);
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  return {
    argv: ["grep", "-rc", "needle", "."],
    lines: rows.map(([path, count]) => `${path}:${count}`),
    check({ matchCount, text }) {
      assert.equal(matchCount, total);
      const all = /; (\d+) in all\]/.exec(text)?.[1];
      if (all !== undefined) assert.equal(Number(all), total);
      const shown = text.split("\n").filter((line) => /:\d+$/.test(line)).length;
      const [empty, fewer] = [sumOf(text, /(\d+) files? with 0/g), sumOf(text, /(\d+) files? with fewer/g)];
      assert.equal(empty + fewer + shown, rows.length);
    },
  };
});

for (const argv of [["find", ".", "-type", "f"], ["git", "ls-files"], ["rg", "--files"], ["ls", "-R"]]) {
  property(`${argv.join(" ")}: names shown and left out make all`, (random) => {
    const all = paths(random, 10 + random.below(600));
    const byFolder = Map.groupBy(all, (path) => path.slice(0, path.lastIndexOf("/")));
    const lines = argv[0] === "ls"
      ? [...byFolder].flatMap((
        [folder, members],
      ) => [`${folder}:`, ...members.map((path) => path.slice(folder.length + 1)), ""])
      : all;
    return {
      argv,
      lines,
      check({ matchCount, text }) {
        assert.equal(matchCount, all.length);
        const shown = [...text.matchAll(/(?<=^|[\s/])[a-z]+\d+\.ts(?=\s|$)/gm)].length;
        assert.equal(
          shown + sumOf(text, /\[\+(\d+)\]/g) + sumOf(/\[… and (.*)\]/.exec(text)?.[1] ?? "", / (\d+)(?:,|$)/g),
          all.length,
        );
        for (const [, said] of text.matchAll(/\[… (\d+) (?:paths|names)/g)) assert.equal(Number(said), all.length);
      },
    };
  });
}

property("git status: paths shown and left out make all", (random) => {
  const all = paths(random, 20 + random.below(300));
  return {
    argv: ["git", "status"],
    lines: [
      "On branch main",
      "",
      "Changes not staged for commit:",
      '  (use "git add <file>..." to update what will be committed)',
      ...all.map((path) => `\tmodified:   ${path}`),
      "",
      "no changes added to commit",
    ],
    check({ matchCount, text }) {
      assert.equal(matchCount, all.length);
      const shown = text.split("\n").filter((line) => line.startsWith("\tmodified:")).length;
      const [, hidden = "0", said = String(all.length)] = /\[… (\d+) of (\d+) paths? left out\]/.exec(text) ?? [];
      assert.deepEqual([shown + Number(hidden), Number(said)], [all.length, all.length]);
    },
  };
});

property("git log: commits shown and left out make all", (random) => {
  const commits = range(20 + random.below(200));
  return {
    argv: ["git", "log"],
    lines: commits.flatMap((i) => [
      `commit ${String(i).padStart(8, "a")}${"b".repeat(32)}`,
      `Author: ${random.pick(["Ann", "Bob"])} <a@example.com>`,
      "Date:   Mon Nov 2 10:00:00 2026 +0000",
      "",
      `    Change ${word(random)} ${i}`,
      "",
    ]),
    check({ matchCount, text }) {
      assert.equal(matchCount, commits.length);
      const shown = text.split("\n").filter((line) => /^ Change /.test(line)).length;
      const [, oldest = "0"] = /the (\d+) oldest of/.exec(text) ?? [];
      assert.equal(shown + Number(oldest), commits.length);
    },
  };
});

for (const [argv, noun] of [[["git", "diff", "--stat"], "file"], [["git", "stash", "list"], "line"]] as const) {
  property(`${argv.join(" ")}: rows are counted as what they are`, (random) => {
    const all = paths(random, 100 + random.below(200));
    const body = noun === "file"
      ? all.map((path) => ` ${path} | 3 +++`)
      : all.map((path, i) => `stash@{${i}}: WIP on main: ${path}`);
    return {
      argv,
      lines: noun === "file" ? [...body, ` ${all.length} files changed, ${3 * all.length} insertions(+)`] : body,
      check({ matchCount, text }) {
        assert.equal(matchCount, all.length);
        const shown = text.split("\n").filter((line) => / \| 3 |^stash@/.test(line)).length;
        const [, hidden = "0", said = String(all.length)] =
          new RegExp(`\\[… (\\d+) of (\\d+) ${noun}s left out\\]`).exec(text) ?? [];
        assert.deepEqual([shown + Number(hidden), Number(said)], [all.length, all.length]);
      },
    };
  });
}

property("git diff: added and removed lines of each file", (random) => {
  const files = range(2 + random.below(8)).map((i) => ({
    path: `src/${word(random)}${i}.ts`,
    hunks: range(1 + random.below(6)).map(() => ({ added: 1 + random.below(20), removed: random.below(20) })),
  }));
  const of = (file: typeof files[number], key: "added" | "removed"): number =>
    file.hunks.reduce((sum, hunk) => sum + hunk[key], 0);
  return {
    argv: ["git", "diff"],
    lines: files.flatMap(({ path, hunks }) => [
      `diff --git a/${path} b/${path}`,
      "index 1111111..2222222 100644",
      `--- a/${path}`,
      `+++ b/${path}`,
      ...hunks.flatMap(({ added, removed }, n) => [
        `@@ -${n * 50 + 1},${removed + 2} +${n * 50 + 1},${added + 2} @@`,
        ` ${word(random)}`,
        ...range(removed).map(() => `-- ${word(random)} ${word(random)} ${word(random)}`),
        ...range(added).map(() => `++ ${word(random)} ${word(random)} ${word(random)}`),
        ` ${word(random)}`,
      ]),
    ]),
    check({ matchCount, text }) {
      assert.equal(matchCount, files.length);
      const summary = /^\[… (\d+ files? \+.*)\]$/m.exec(text)?.[1];
      if (summary === undefined) return;
      const added = files.reduce((sum, file) => sum + of(file, "added"), 0);
      const removed = files.reduce((sum, file) => sum + of(file, "removed"), 0);
      const each = files.map((file) => `${file.path} +${of(file, "added")} -${of(file, "removed")}`).join(", ");
      assert.equal(summary, `${files.length} files +${added} -${removed}: ${each}`);
    },
  };
});

Deno.test("counts: of output whose middle is not at hand, the digest says what they cover", () => {
  const row = (level: string, n: number) =>
    `2026-11-28T10:00:00.${String(n % 1000).padStart(3, "0")}Z ${level} request ${n} took long`;
  const level = (n: number) => n % 10 === 0 ? "ERROR" : "INFO";
  const head = range(300).map((n) => row(level(n), n)), tail = range(300).map((n) => row(level(n), n));
  const stdout = `${head.join("\n")}\n2026-11-28T10:00:0\n${unreadMark(123_456)}\nERROR cut line\n${tail.join("\n")}\n`;
  const enriched = enrich({
    argv: ["cat", "app.log"],
    stdout,
    stderr: "",
    exitCode: 0,
    budgetTokens: BUDGET_TOKENS,
    unreadBytes: 123_456,
  });
  assert.match(enriched?.text ?? "", /600 lines: 60 ERROR, 540 INFO/);
  assert.match(enriched?.text ?? "", /\[… 123456 bytes in the middle were not looked at: counts are of the rest\]$/);
  assert.equal(enriched?.truncated, true);
});
