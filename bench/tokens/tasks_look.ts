/** Tasks that answer a question. @module */
import { desktopPid, desktopSearch, missing, run, type Task } from "./task.ts";

const explainError: Task = {
  name: "explain an error",
  async desktopCommander(session, { dir }) {
    await session.call("start_process", { command: `cd ${dir} && node src/main.mjs`, timeout_ms: 10_000 });
    await session.call("read_file", { path: `${dir}/src/main.mjs` });
    await session.call("read_file", { path: `${dir}/src/rates.json` });
  },
  async ours(session) {
    await session.call("run_cmd", { command: "node src/main.mjs" });
    await session.call("linux_fs_read", { path: "src/main.mjs" });
    await session.call("linux_fs_read", { path: "src/rates.json" });
  },
  faults: (_, seen) =>
    Promise.resolve(
      missing(
        seen,
        /Cannot read properties of undefined \(reading 'percent'\)/,
        /main\.mjs:10/,
        /119\.00/,
        /country: "CH"/,
        /"FR"/,
      ),
    ),
};

const listener: Task = {
  name: "find who listens on a port",
  async desktopCommander(session, { port }) {
    await session.call("start_process", { command: `ss -ltnp | grep :${port}`, timeout_ms: 10_000 });
  },
  async ours(session) {
    await session.call("linux_sys_info", { info_type: "network" });
  },
  faults: ({ port, pid }, seen) =>
    Promise.resolve(missing(seen, new RegExp(`\\b${port}\\b`), new RegExp(`\\b${pid}\\b`), /python3/)),
};

const DU = "du -a var | sort -rn | head -n 25";

const disk: Task = {
  name: "find what fills the disk",
  async desktopCommander(session, { dir }) {
    await session.call("start_process", { command: "df -h", timeout_ms: 10_000 });
    await session.call("start_process", { command: `cd ${dir} && ${DU}`, timeout_ms: 10_000 });
  },
  async ours(session) {
    await session.call("run_cmd", { command: "df -h" });
    await session.call("run_cmd", { command: DU });
  },
  faults: (_, seen) => Promise.resolve(missing(seen, /old_backup\.tar/, /293\d\d/, /var\/cache\/part_17/)),
};

const log: Task = {
  name: "read a long log",
  async desktopCommander(session, { dir }) {
    await session.call("read_file", { path: `${dir}/logs/app.log`, offset: -200 });
    await desktopSearch(session, {
      path: `${dir}/logs`,
      pattern: ".*(ERROR|WARN).*",
      searchType: "content",
      contextLines: 0,
    });
    await session.call("read_file", { path: `${dir}/logs/app.log`, offset: 4_318, length: 14 });
  },
  async ours(session) {
    await session.call("run_cmd", { command: "cat logs/app.log" });
    await session.call("linux_search_content", { root: "logs", pattern: "ERROR|WARN" });
    await session.call("linux_fs_read", { path: "logs/app.log", offset_lines: 4_318, max_lines: 14 });
  },
  faults: (_, seen) =>
    Promise.resolve(
      missing(
        seen,
        /payment failed for order 88123/,
        /pay\.py", line 88/,
        /CardDeclined: code 51/,
        /queue length \d+ above 50/,
      ),
    ),
};

const review: Task = {
  name: "review a diff",
  async prepare({ dir }) {
    await run(dir, "git", "init", "-q");
    await run(dir, "git", "-c", "user.name=a", "-c", "user.email=a@example.org", "add", "-A");
    await run(dir, "git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "Start");
    for (const name of ["cart", "order", "invoice", "user", "stock", "refund"]) {
      const path = `${dir}/src/${name}.ts`;
      const text = await Deno.readTextFile(path);
      const changed = text.replace("value > this.limit", "value >= this.limit").replace(
        "return formatMoney(value);",
        "return value;",
      );
      await Deno.writeTextFile(path, changed);
    }
    const money = await Deno.readTextFile(`${dir}/src/money.ts`);
    await Deno.writeTextFile(`${dir}/src/money.ts`, money.replace("* 100) / 100", "* 10) / 10"));
  },
  async desktopCommander(session, { dir }) {
    await session.call("start_process", { command: `cd ${dir} && git status --short && git diff`, timeout_ms: 10_000 });
  },
  async ours(session) {
    await session.call("run_cmd", { command: "git diff" });
  },
  faults: (_, seen) =>
    Promise.resolve(
      missing(
        seen,
        /^\+ {2}return Math\.round\(value \* 10\) \/ 10;/m,
        /src\/refund\.ts/,
        /^\+.*value >= this\.limit/m,
        /^-.*return formatMoney/m,
      ),
    ),
};

const explore: Task = {
  name: "explore an unknown repository",
  async desktopCommander(session, { dir }) {
    await session.call("list_directory", { path: dir, depth: 2 });
    await session.call("read_file", { path: `${dir}/README.md` });
    await session.call("read_file", { path: `${dir}/src/router.ts` });
    await desktopSearch(session, {
      path: `${dir}/src`,
      pattern: "export class.*",
      searchType: "content",
      contextLines: 0,
    });
  },
  async ours(session) {
    await session.call("linux_fs_list", { path: ".", depth: 2 });
    await session.call("linux_fs_read", { path: "README.md" });
    await session.call("linux_fs_read", { path: "src/router.ts" });
    await session.call("linux_search_content", { root: "src", pattern: "export class" });
  },
  faults: (_, seen) => Promise.resolve(missing(seen, /priced/, /class Router/, /class Stock/, /tax\.py/, /app\.log/)),
};

const repl: Task = {
  name: "calculate in a Python session",
  async desktopCommander(session) {
    const pid = desktopPid(await session.call("start_process", { command: "python3 -i", timeout_ms: 5_000 }));
    await session.call("interact_with_process", { pid, input: "rates = [0.19, 0.07, 0.2]" });
    await session.call("interact_with_process", { pid, input: "round(sum(100 * r for r in rates), 2)" });
    await session.call("interact_with_process", { pid, input: "max(rates) - min(rates)" });
    await session.call("force_terminate", { pid });
  },
  async ours(session) {
    const started = await session.call("linux_proc_start", { command: "python3 -i -q" });
    const id = /\b(P_\w+|proc_\w+|\w+-\w+)\b/.exec(started)?.[1] ?? "";
    await session.call("linux_proc_send", { proc_id: id, input: "rates = [0.19, 0.07, 0.2]", wait_for: ">>> $" });
    await session.call("linux_proc_send", {
      proc_id: id,
      input: "round(sum(100 * r for r in rates), 2)",
      wait_for: ">>> $",
    });
    await session.call("linux_proc_send", { proc_id: id, input: "max(rates) - min(rates)", wait_for: ">>> $" });
    await session.call("linux_proc_stop", { proc_id: id });
  },
  faults: (_, seen) => Promise.resolve(missing(seen, /\b46\.0\b/, /\b0\.13\b/)),
};

const commonWord: Task = {
  name: "see where a common word is used",
  async desktopCommander(session, { dir }) {
    const search = { path: dir, pattern: ".*value.*", searchType: "content", contextLines: 0 };
    await desktopSearch(session, search, 1);
  },
  async ours(session) {
    await session.call("linux_search_content", { pattern: "value" });
  },
  faults: (_, seen) =>
    Promise.resolve(missing(seen, /src\/\w+\.ts/, /const value = this\.#items/, /more|MORE|truncated|rest/)),
};

const busiest: Task = {
  name: "see which processes are busy",
  async desktopCommander(session) {
    await session.call("list_processes", {});
  },
  async ours(session) {
    await session.call("linux_proc_list", {});
  },
  faults: ({ pid }, seen) => Promise.resolve(missing(seen, new RegExp(`\\b${pid}\\b`), /python3/)),
};

/** Tasks that find something out. */
export const LOOKING_TASKS: readonly Task[] = [
  explainError,
  listener,
  disk,
  log,
  review,
  explore,
  repl,
  commonWord,
  busiest,
];
