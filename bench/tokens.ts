/**
 * Compares the token cost of tasks between this product and Desktop Commander: tool list, calls and results, by one
 * tokenizer.
 *
 *     deno run -A bench/tokens.ts [--binary dist/llmc-mcp] [--peers FOLDER] [--only desktopCommander|ours] [--task WORD] [--list core|full]
 *
 * Writes bench/results/tokens.json and prints a table. Runs in a network namespace without a network where it can.
 *
 * @module
 */
import { type Contestant, desktopCommander, installDesktopCommander, ours } from "./tokens/servers.ts";
import { type Cost, makeSession } from "./tokens/session.ts";
import { connect } from "./tokens/stdio_client.ts";
import type { Task } from "./tokens/task.ts";
import { CHANGING_TASKS } from "./tokens/tasks_change.ts";
import { LOOKING_TASKS } from "./tokens/tasks_look.ts";
import { type Count, loadO200k } from "./tokens/tokenizers.ts";
import { writeWorkspace } from "./tokens/workspace.ts";

interface Outcome {
  readonly task: string;
  readonly server: Contestant["key"];
  readonly cost: Cost;
  readonly faults: readonly string[];
}

const TASKS: readonly Task[] = [...CHANGING_TASKS, ...LOOKING_TASKS];
const ROOT = new URL("../", import.meta.url).pathname;
const NAMESPACE_FLAG = "--in-namespace";

function option(name: string, fallback: string): string {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? fallback : Deno.args[at + 1] ?? fallback;
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

async function main(): Promise<number> {
  const count = await loadO200k();
  const peer = await installDesktopCommander(
    option("peers", `${Deno.env.get("HOME") ?? "/tmp"}/.cache/llmc-bench-peers`),
  );
  if (!Deno.args.includes(NAMESPACE_FLAG)) {
    const code = await runWithoutNetwork();
    if (code !== null) return code;
  }
  const only = option("only", "");
  const servers = [desktopCommander(peer), ours(option("binary", `${ROOT}dist/llmc-mcp`), option("list", ""))].filter((
    { key },
  ) => only === "" || key === only);
  const tasks = TASKS.filter(({ name }) => name.includes(option("task", "")));
  const outcomes: Outcome[] = [];
  for (const task of tasks) {
    for (const server of servers) outcomes.push(await perform(task, server, count));
  }
  if (only === "" && tasks.length === TASKS.length) await save(outcomes);
  print(outcomes, servers);
  return outcomes.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

/** Starts itself again where nothing can be reached. @returns its exit code; null where that is not possible. */
async function runWithoutNetwork(): Promise<number | null> {
  const probe = await new Deno.Command("unshare", { args: ["-n", "true"], stderr: "null" }).output().catch(() => null);
  if (!probe?.success) return null;
  const again = [Deno.execPath(), "run", "-A", "--no-lock", import.meta.filename ?? "", ...Deno.args, NAMESPACE_FLAG];
  const script = 'ip link set lo up 2>/dev/null; exec "$@"';
  const { code } = await new Deno.Command("unshare", {
    args: ["-n", "sh", "-c", script, "sh", ...again],
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  return code;
}

async function perform(task: Task, server: Contestant, count: Count): Promise<Outcome> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "shop-" }));
  const home = await Deno.makeTempDir({ prefix: "home-" });
  const listening = await startListener();
  try {
    const place = { dir, port: listening.port, pid: listening.pid };
    await writeWorkspace(dir);
    await task.prepare?.(place);
    await using connection = await connect(await server.command(dir, home));
    const session = makeSession(connection, count);
    await task[server.key](session, place);
    if (Deno.args.includes("--show")) say(`\n=== ${task.name}, ${server.title}\n${session.seen}`);
    return { task: task.name, server: server.key, cost: session.cost, faults: await task.faults(place, session.seen) };
  } finally {
    await listening.stop();
    for (const folder of [dir, home]) await Deno.remove(folder, { recursive: true });
  }
}

/** A program that listens, for the task that looks for it. */
async function startListener(): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const script =
    "import socket,time\ns=socket.socket();s.bind(('127.0.0.1',0));s.listen();print(s.getsockname()[1],flush=True);time.sleep(600)";
  const child = new Deno.Command("python3", { args: ["-c", script], stdin: "null", stdout: "piped", stderr: "null" })
    .spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  return {
    port: Number(new TextDecoder().decode(value).trim()),
    pid: child.pid,
    async stop() {
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    },
  };
}

async function save(outcomes: readonly Outcome[]): Promise<void> {
  await Deno.mkdir(`${ROOT}bench/results`, { recursive: true });
  const text = JSON.stringify({ tokenizer: "o200k_base", outcomes }, null, 1);
  await Deno.writeTextFile(`${ROOT}bench/results/tokens.json`, `${text}\n`);
}

const spent = ({ callTokens, resultTokens }: Cost) => callTokens + resultTokens;
const total = (cost: Cost) => cost.listTokens + spent(cost);

function print(outcomes: readonly Outcome[], servers: readonly Contestant[]): void {
  const titles = servers.map(({ title }) => `${title}: calls | calls + results | with tool list | ms`);
  say(`| task | ${titles.join(" | ")} | share |\n|---${"|---".repeat(servers.length * 4 + 1)}|`);
  const share = (costs: readonly Cost[], of: (cost: Cost) => number) =>
    costs.length === 2 && costs[0] && costs[1] ? `${Math.round(of(costs[1]) / of(costs[0]) * 100)} %` : "-";
  for (const [task, own] of Map.groupBy(outcomes, (outcome) => outcome.task)) {
    const costs = own.map(({ cost }) => cost);
    const cells = costs.flatMap((cost) => [cost.calls, spent(cost), total(cost), cost.wallMs]);
    say(`| ${[task, ...cells, share(costs, total)].join(" | ")} |`);
    for (const { server, faults } of own) for (const fault of faults) say(`  FAULT ${server}: ${fault}`);
  }
  const sums = servers.map(({ key }) => {
    const costs = outcomes.filter(({ server }) => server === key).map(({ cost }) => cost);
    const sum = (of: (cost: Cost) => number) => costs.reduce((all, cost) => all + of(cost), 0);
    return {
      listTokens: sum((c) => c.listTokens),
      callTokens: sum((c) => c.callTokens),
      resultTokens: sum((c) => c.resultTokens),
      calls: sum((c) => c.calls),
      wallMs: sum((c) => c.wallMs),
    };
  });
  const cells = sums.flatMap((cost) => [cost.calls, spent(cost), total(cost), cost.wallMs]);
  say(`| ${["**all**", ...cells, share(sums, total)].join(" | ")} |`);
  say(`\nwithout the tool list: ${share(sums, spent)}`);
}

if (import.meta.main) Deno.exit(await main());
