/** Jobs on a running machine and its records: a server, a machine in trouble, a log, a merge with hooks. @module */
import { choose, chooseNumber, type Job, type JobPlace, missingIn, readText, run, writeFiles } from "./job.ts";

const PORT = 38_471;

/** A server with a fault that shows only when it is asked. */
const devServer: Job = {
  name: "dev-server",
  task:
    `Start the server (node server.js ${PORT}; it takes a moment until it listens), request http://127.0.0.1:${PORT}/health, fix what ` +
    'makes that fail, show that it then answers 200 with {"ok":true,"items":3}, and leave nothing running.',
  async prepare(place) {
    await writeFiles(place.root, {
      "server.js":
        'import http from "node:http";\nimport { items } from "./items.js";\n\nconst port = Number(process.argv[2]);\n' +
        'const server = http.createServer((request, response) => {\n  try {\n    if (request.url !== "/health") return response.writeHead(404).end();\n' +
        '    const body = JSON.stringify({ ok: true, items: items().length });\n    response.writeHead(200, { "content-type": "application/json" }).end(body);\n' +
        '  } catch (error) {\n    console.error(error.stack);\n    response.writeHead(500).end("error");\n  }\n});\n' +
        "for (let i = 0; i < 40; i++) console.log(`compiled module ${i}`);\n" +
        'setTimeout(() => server.listen(port, "127.0.0.1", () => console.log(`listening on ${port}`)), 1500);\n',
      "items.js":
        'import { readFileSync } from "node:fs";\n\nexport function items() {\n  return JSON.parse(readFileSync(new URL("./data/items.json", import.meta.url), "utf8")).rows;\n}\n',
      "data/items.json": `{"${choose(place, 1, ["items", "entries", "things"])}": ["a", "b", "c"]}\n`,
      "package.json": '{"type":"module"}\n',
    });
  },
  async check(place) {
    if (await answers(PORT) !== null) return ["the server was left running"];
    const server = new Deno.Command("node", {
      args: ["server.js", `${PORT}`],
      cwd: place.root,
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      for (let tries = 0; tries < 50; tries++) {
        const answer = await answers(PORT);
        if (answer !== null) return answer === '200 {"ok":true,"items":3}' ? [] : [`it answers ${answer}`];
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return ["the server does not start"];
    } finally {
      server.kill();
      await server.status;
    }
  },
};

/** What a server on this machine answers; null when there is none. */
async function answers(port: number): Promise<string | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health`);
    return `${response.status} ${await response.text()}`;
  } catch {
    return null;
  }
}

const sizeOf = (megabytes = "0"): number => Number(megabytes) * 2 ** 20;

/** Holds a deleted file open on the full file system. */
const HOLDER =
  'import os, sys, time\nf = open(sys.argv[1], "wb")\nf.write(b"x" * (int(sys.argv[2]) << 20))\nf.flush()\nos.unlink(sys.argv[1])\n' +
  "print(os.getpid(), flush=True)\ntime.sleep(3600)\n";
const BURNER = "import os\nprint(os.getpid(), flush=True)\nwhile True:\n    pass\n";

/** A file system in memory that a deleted file fills, and a program that takes a whole processor. */
const diagnose: Job = {
  name: "diagnose",
  task:
    "This machine is slow, and writing to the folder data/ fails. Which process makes it slow, and what fills the file system of " +
    "data/ although du shows hardly anything there? Name both processes by their pids, and the size. Change nothing.",
  async prepare(place) {
    const data = `${place.root}/data`;
    await Deno.mkdir(data);
    await mustRun("mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", data);
    await writeFiles(place.root, { "data/notes.txt": "small\n" });
    place.facts.megabytes = String(chooseNumber(place, 2, 55, 58));
    place.facts.holder = await startProgram(HOLDER, `${data}/export.tmp`, place.facts.megabytes);
    place.facts.burner = await startProgram(BURNER);
  },
  check: ({ facts }, answer) =>
    Promise.resolve(missingIn(answer, {
      "the process that takes the processor": new RegExp(`\\b${facts.burner}\\b`),
      "the process that holds the deleted file": new RegExp(`\\b${facts.holder}\\b`),
      "its size": new RegExp(
        `\\b(?:${facts.megabytes}(?:\\.0)? ?M|${sizeOf(facts.megabytes)}|${
          (sizeOf(facts.megabytes) / 1e6).toFixed(1)
        })`,
      ),
    })),
  async clean({ root, facts }) {
    for (const pid of [facts.holder, facts.burner]) {
      if (pid) await run({ root, home: "", env: {}, seed: 0, facts }, "kill", "-9", pid);
    }
    await mustRun("umount", "-l", `${root}/data`);
  },
};

async function mustRun(program: string, ...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  if (!success) throw new Error(`${program}: ${new TextDecoder().decode(stderr).trim()}`);
}

/** Starts a program that goes on after this process, and waits until it has printed its pid. */
async function startProgram(code: string, ...args: readonly string[]): Promise<string> {
  const log = await Deno.makeTempFile();
  const line = 'exec /usr/bin/python3 -c "$@" >"$0" 2>&1';
  new Deno.Command("/bin/sh", { args: ["-c", line, log, code, ...args], stdin: "null", detached: true }).spawn()
    .unref();
  for (let tries = 0; tries < 200; tries++) {
    const printed = await Deno.readTextFile(log);
    if (/^\d+\n/.test(printed)) {
      await Deno.remove(log);
      return printed.trim();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the program does not start");
}

const LINES = 3_000;
const CAUSES: readonly [string, string, string] = [
  "connection to ledger-db refused",
  "payload of order too large",
  "certificate of mail.example expired",
];

/** A log in which the word "error" is everywhere, and errors are rare. */
function logLines(place: JobPlace): string[] {
  const errors = chooseNumber(place, 3, 31, 44), warnings = chooseNumber(place, 4, 120, 174);
  const first = chooseNumber(place, 5, 5, 60);
  return Array.from({ length: LINES }, (_, i) => {
    const time = new Date(Date.UTC(2026, 10, 20, 3, 0, i)).toISOString();
    if (i % 68 === first && i / 68 < errors) return `${time} ERROR worker ${causeOf(place, Math.floor(i / 68))}`;
    if (i % 17 === 3 && i / 17 < warnings) return `${time} WARN  cache miss rate ${i % 90}%`;
    return `${time} INFO  request ${i} ok, no error, error_count=0, ${i % 400} ms`;
  });
}

/** The causes from the most frequent to the rarest. */
const causesOf = (place: JobPlace): readonly [string, string, string] =>
  choose(place, 6, [[...CAUSES], [CAUSES[1], CAUSES[2], CAUSES[0]], [CAUSES[2], CAUSES[0], CAUSES[1]]]);

function causeOf(place: JobPlace, n: number): string {
  const [most, second, rarest] = causesOf(place);
  return n % 4 === 3 ? second : n % 11 === 5 ? rarest : most;
}

/** Numbers that must be right, and a cause that must be found. */
const readLog: Job = {
  name: "read-log",
  task:
    "Look at logs/app.log: how many lines of level ERROR and how many of level WARN does it have, what is the most frequent " +
    "cause of errors and how often does it occur, and when did the first error occur?",
  prepare: (place) => writeFiles(place.root, { "logs/app.log": `${logLines(place).join("\n")}\n` }),
  check(place, answer) {
    const lines = logLines(place), [cause] = causesOf(place);
    const errors = lines.filter((line) => line.includes(" ERROR "));
    const most = errors.filter((line) => line.includes(cause)).length;
    return Promise.resolve(missingIn(answer, {
      "the number of errors": new RegExp(`\\b${errors.length}\\b`),
      "the number of warnings": new RegExp(`\\b${lines.filter((line) => line.includes(" WARN ")).length}\\b`),
      "the cause": /\S+-db|order|mail\.example/.exec(cause)?.[0] ?? cause,
      "how often it occurs": new RegExp(`\\b${most}\\b`),
      "the first error": errors[0]?.slice(11, 19) ?? "",
    }));
  },
};

const HOOK =
  "#!/bin/sh\nif git diff --cached --name-only | grep '\\.js$' | xargs grep -n 'console\\.log' /dev/null; then\n" +
  "  echo 'lint: console.log is not allowed' >&2\n  exit 1\nfi\n";
const CART = (discount: string, extra: string) =>
  `export function total(items) {\n  const sum = items.reduce((all, item) => all + item.price, 0);\n  return ${discount};\n}\n${extra}`;

const taxOf = (place: JobPlace): number => choose(place, 7, [1.2, 1.5, 1.25]);
const discountOf = (place: JobPlace): number => choose(place, 8, [10, 20, 40]);

/** A merge with a conflict, in a repository whose hook refuses what one side brings along. */
const mergeHooks: Job = {
  name: "merge-hooks",
  task:
    "Merge the branch feature into main in this git repository. Keep what both sides do to the total: the discount of main is " +
    "applied first, then the tax of feature. The pre-commit hook must pass; do not go around it.",
  async prepare(place) {
    const git = async (...args: string[]) => {
      const { code, text } = await run(place, "git", ...args);
      if (code !== 0) throw new Error(`git ${args.join(" ")}: ${text}`);
    };
    await Deno.writeTextFile(`${place.home}/.gitconfig`, "[user]\n\tname = Ada Example\n\temail = ada@example.com\n");
    await git("init", "-q", "-b", "main");
    const commit = async (discount: string, extra: string, message: string) => {
      await writeFiles(place.root, { "src/cart.js": CART(discount, extra) });
      await git("add", "-A");
      await git("commit", "-q", "-m", message);
    };
    await commit("sum", "", "Add the total");
    await git("checkout", "-q", "-b", "feature");
    await commit(
      `sum * ${taxOf(place)}`,
      "\nexport function show(items) {\n  console.log(total(items));\n  return total(items);\n}\n",
      "Add the tax",
    );
    await git("checkout", "-q", "main");
    await commit(`sum - (sum > 100 ? ${discountOf(place)} : 0)`, "", "Add the discount");
    await writeFiles(place.root, { ".git/hooks/pre-commit": HOOK });
    await Deno.copyFile(`${place.root}/.git/hooks/pre-commit`, `${place.root}/.git/hooks/pre-merge-commit`);
    for (const name of ["pre-commit", "pre-merge-commit"]) await Deno.chmod(`${place.root}/.git/hooks/${name}`, 0o755);
  },
  async check(place) {
    const git = async (...args: string[]) => (await run(place, "git", ...args)).text.trim();
    const cart = await readText(place, "src/cart.js");
    const tried = await run(
      place,
      "node",
      "--input-type=module",
      "-e",
      `${cart}\nconsole.log([200, 50].map((price) => total([{ price }])).join(" "))`,
    );
    const faults = {
      "HEAD is not a merge of both branches": (await git("log", "-1", "--format=%P")).split(" ").length !== 2 ||
        await git("merge-base", "--is-ancestor", "feature", "main") !== "",
      "something is not committed": await git("status", "--porcelain") !== "",
      "the total is wrong": tried.text.trim() !== `${(200 - discountOf(place)) * taxOf(place)} ${50 * taxOf(place)}`,
      "console.log was merged past the hook": cart.includes("console.log"),
      "show() was lost": !cart.includes("export function show"),
      "the hook was changed": await readText(place, ".git/hooks/pre-commit") !== HOOK,
      "the commit is not the user's": await git("log", "-1", "--format=%an <%ae>") !== "Ada Example <ada@example.com>",
    };
    return Object.entries(faults).filter(([, isSo]) => isSo).map(([what]) => what);
  },
};

/** In the order of the design. */
export const MACHINE_JOBS: readonly Job[] = [devServer, diagnose, readLog, mergeHooks];
