/** Counts of table rows equal those of a plain reference, on generated tables. @module */
import assert from "node:assert/strict";
import type { Random } from "../support/random.ts";
import { property, range, sumOf, word } from "./property.ts";

interface Table {
  readonly command: string;
  readonly header: string;
  /** Recognises a row of the table in a digest. */
  readonly row: RegExp;
  /** One row, and its state where the table has one. */
  readonly make: (random: Random, n: number) => { readonly text: string; readonly state?: string };
}

const TABLES: readonly Table[] = [
  {
    command: "docker ps -a",
    header: "CONTAINER ID   IMAGE         COMMAND   CREATED       STATUS                   PORTS     NAMES",
    row: /^[0-9a-f]{12} /,
    make(random, n) {
      const state = random.pick(["Up", "Exited"]), id = (0x100000 + n).toString(16).padStart(12, "a");
      const status = state === "Up" ? "Up 3 hours" : "Exited (0) 2 days ago";
      return { state, text: `${id}   postgres:15   "run"     3 days ago    ${status.padEnd(24)} ${word(random)}_${n}` };
    },
  },
  {
    command: "docker images",
    header: "REPOSITORY        TAG       IMAGE ID       CREATED       SIZE",
    row: /^image\/\w+ /,
    make: (random, n) => ({ text: `image/${word(random)}   1.${n}   ${"b".repeat(12)}   3 days ago    ${n + 10}MB` }),
  },
  {
    command: "kubectl get pods",
    header: "NAME                     READY   STATUS      RESTARTS   AGE",
    row: /^pod-\w+-\d+ /,
    make(random, n) {
      const state = random.pick(["Running", "Completed", "Pending"]);
      return { state, text: `pod-${word(random)}-${n}     1/1     ${state.padEnd(9)}   ${n}          4d` };
    },
  },
  {
    command: "ss -tan",
    header: "State      Recv-Q  Send-Q  Local Address:Port  Peer Address:Port",
    row: /^(?:LISTEN|ESTAB|TIME-WAIT) /,
    make(random, n) {
      const state = random.pick(["LISTEN", "ESTAB", "TIME-WAIT"]);
      return { state, text: `${state.padEnd(10)} 0       128     127.0.0.1:${20_000 + n}     10.0.0.1:${n + 1}` };
    },
  },
  {
    command: "df -h",
    header: "Filesystem      Size  Used Avail Use% Mounted on",
    row: /^\/dev\/sd\w+\d /,
    make: (random, n) => ({ text: `/dev/sd${word(random)}${n}        20G  ${n}M   19G   1% /mnt/${word(random)}${n}` }),
  },
  {
    command: "lsof -p 1",
    header: "COMMAND PID USER FD TYPE DEVICE SIZE/OFF NODE NAME",
    row: /^node \d+ /,
    make: (random, n) => ({
      text: `node    ${n + 1}  root  mem  REG  8,1  ${n}  ${n + 5}  /usr/lib/${word(random)}.so`,
    }),
  },
];

for (const { command, header, row, make } of TABLES) {
  property(`${command}: rows shown and left out make all, by state too`, (random) => {
    const rows = range(30 + random.below(250)).map((n) => make(random, n));
    return {
      argv: command.split(" "),
      lines: [header, ...rows.map(({ text }) => text)],
      check({ matchCount, text }) {
        assert.equal(matchCount, rows.length);
        const shown = text.split("\n").filter((line) => row.test(line));
        const [note = "", hidden = "0", said = String(rows.length)] =
          /\[… (\d+) of (\d+) rows left out.*\]/.exec(text) ?? [];
        assert.deepEqual([shown.length + Number(hidden), Number(said)], [rows.length, rows.length]);
        for (const state of new Set(rows.flatMap((each) => each.state ?? []))) {
          const all = rows.filter((each) => each.state === state).length;
          const visible = shown.filter((line) => line.includes(state)).length;
          assert.equal(visible + sumOf(note, new RegExp(`\\b${state} (\\d+)`, "g")), all, state);
        }
      },
    };
  });
}

property("du: the largest are shown, and the number of the others is right", (random) => {
  const rows = range(60 + random.below(400)).map((n) => ({ size: random.below(1e6), path: `./${word(random)}/${n}` }));
  return {
    argv: ["du", "-a"],
    lines: rows.map(({ size, path }) => `${size}\t${path}`),
    check({ matchCount, text }) {
      assert.equal(matchCount, rows.length);
      const shown = [...text.matchAll(/^(\d+)[ \t]\.\/\w+\/\d+$/gm)].map(([, size]) => Number(size));
      const [, hidden = "0", said = String(rows.length)] = /\[… (\d+) of (\d+) rows left out/.exec(text) ?? [];
      assert.deepEqual([shown.length + Number(hidden), Number(said)], [rows.length, rows.length]);
      if (hidden === "0") return;
      const largest = rows.map(({ size }) => size).sort((a, b) => b - a).slice(0, shown.length);
      assert.deepEqual(shown, largest);
    },
  };
});

property("ps: rows shown and left out make all", (random) => {
  const rows = range(40 + random.below(300)).map((i) =>
    `root ${i + 1} ${random.below(9)}.0 1.0 1000 2000 ? S 10:00 0:00 ${word(random)} --flag`
  );
  return {
    argv: ["ps", "aux"],
    lines: ["USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND", ...rows],
    check({ matchCount, text }) {
      assert.equal(matchCount, rows.length);
      const shown = text.split("\n").filter((line) => /^root \d/.test(line)).length;
      for (const [, said] of text.matchAll(/\[… (\d+) (?:of \d+ )?(?:more )?(?:process|row)/g)) {
        assert.ok(
          Number(said) === rows.length - shown || Number(said) === rows.length,
          `${said} of ${rows.length}, ${shown} shown`,
        );
      }
    },
  };
});
