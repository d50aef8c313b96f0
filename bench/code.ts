/**
 * Measures references and callers beside language servers and @colbymchenry/codegraph on real sources. Writes
 * bench/results/code.json and the table in docs/performance.md.
 *
 *     deno run -A bench/code.ts [--most N] [--show N]
 *
 * The sources come with npm (rxjs) and with Python (asyncio); `CODE_BENCH=FOLDER` adds every folder in it. What pyright
 * and TypeScript's language service say counts as true.
 *
 * @module
 */
import { renderPerformance } from "../scripts/generate_performance_docs.ts";
import { print } from "../scripts/project.ts";
import type { ForeignRow, ForeignTable, Report } from "../scripts/reports/performance.ts";
import { languageOf } from "../src/code_search/languages.ts";
import { installPackage, installTree } from "./peers/install.ts";
import { openSubject } from "./rag/subject.ts";
import { type CallerScore, compareCallers } from "./symbols/callers.ts";
import { openCodeGraph } from "./symbols/codegraph.ts";
import { chooseSymbols, compare } from "./symbols/compare.ts";
import { type LanguageServer, startLanguageServer } from "./symbols/language_server.ts";
import { openTypeScript } from "./symbols/typescript_service.ts";

const RESULT = new URL("./results/code.json", import.meta.url);
const REPORT = new URL("./results/bench.json", import.meta.url);
const PAGE = new URL("../docs/performance.md", import.meta.url);
const CODEGRAPH = "1.6.1", PYRIGHT = "1.1.407";
const TARGET_F1 = 0.9;

function option(name: string, fallback: number): number {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(Deno.args[at + 1]);
}

interface Figures {
  readonly text: string;
  readonly f1: number;
}

function figures({ right, missed, wrong }: CallerScore): Figures {
  const precision = right / Math.max(1, right + wrong), recall = right / Math.max(1, right + missed);
  const f1 = 2 * precision * recall / Math.max(1e-9, precision + recall);
  const two = (value: number) => value.toFixed(3).replace(/^0/, "");
  return { text: `P ${two(precision)} R ${two(recall)} F1 ${two(f1)}`, f1 };
}

/** Source files of the language that most files of a folder are written in. */
async function sourcesOf(root: string): Promise<{ files: string[]; isPython: boolean }> {
  const files: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory, isFile } of Deno.readDir(`${root}/${folder}`)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name.startsWith(".") || name === "node_modules" || name === "__pycache__") continue;
      if (isDirectory) await walk(path);
      else if (isFile) files.push(path);
    }
  };
  await walk("");
  const of = (grammars: readonly string[]) =>
    files.filter((path) => grammars.includes(languageOf(path)?.grammar ?? ""));
  const python = of(["python"]), web = of(["typescript", "tsx", "javascript"]);
  const isPython = python.length > web.length;
  return { files: (isPython ? python : web).sort(), isPython };
}

async function pythonFolder(): Promise<string | undefined> {
  const code = "import asyncio, os; print(os.path.dirname(os.path.realpath(asyncio.__file__)))";
  const found = await new Deno.Command("python3", { args: ["-c", code] }).output().catch(() => undefined);
  return found?.success ? new TextDecoder().decode(found.stdout).trim() : undefined;
}

async function subjects(): Promise<Map<string, string>> {
  const found = new Map([["rxjs", `${await installTree()}/rxjs/src`]]);
  const python = await pythonFolder(), extra = Deno.env.get("CODE_BENCH");
  if (python !== undefined) found.set("asyncio", python);
  if (extra !== undefined) {
    for await (const { name, isDirectory } of Deno.readDir(extra)) if (isDirectory) found.set(name, `${extra}/${name}`);
  }
  return found;
}

async function measure(name: string, folder: string): Promise<ForeignRow[]> {
  const { files, isPython } = await sourcesOf(folder);
  if (files.length === 0) return [];
  await using subject = await openSubject(folder, 60_000);
  await subject.index.sync();
  const pyright = isPython ? await installPackage("pyright", PYRIGHT, "langserver.index.js") : undefined;
  const start = async (): Promise<LanguageServer> =>
    pyright === undefined
      ? openTypeScript(subject.root, files)
      : await startLanguageServer(["node", pyright, "--stdio"], subject.root, "python", files);
  await using server = await start();
  const theirs = isPython ? `pyright ${PYRIGHT}` : "TypeScript's language service";
  const symbols = await chooseSymbols(subject.root, files, option("most", 60));
  const found = await compare(subject, server, symbols);
  for (const line of found.wrong.slice(0, option("show", 0))) print(`  wrong ${line}`);
  for (const line of found.missed.slice(0, option("show", 0))) print(`  missed ${line}`);
  const all = found.both + found.onlyServer;
  const certain = figures({ right: found.certainBoth, missed: all - found.certainBoth, wrong: found.certainOnlyOurs });
  const any = figures({ right: found.both, missed: found.onlyServer, wrong: found.onlyOurs });
  const rows = [{
    what: `references, ${name}, ${symbols.length} symbols with ${all} references of ${theirs}`,
    figure: `certain: ${certain.text}; with those by name only: ${any.text}`,
    target: `certain: F1 ≥ ${TARGET_F1}`,
    holds: certain.f1 >= TARGET_F1,
  }];
  const main = await installPackage("@colbymchenry/codegraph", CODEGRAPH, "package.json");
  if (main === undefined) return rows;
  const script = `${main.replace(/package\.json$/, "")}${JSON.parse(await Deno.readTextFile(main)).bin.codegraph}`;
  await using peer = await openCodeGraph(script, subject.root);
  const callers = await compareCallers(subject, server, peer, symbols);
  const own = figures(callers.ours), other = figures(callers.peer);
  return [...rows, {
    what: `callers, ${name}, ${callers.symbols} symbols that have some and that codegraph knows`,
    figure: own.text,
    target: `F1 ≥ that of @colbymchenry/codegraph ${CODEGRAPH}: ${other.text}`,
    holds: own.f1 >= other.f1,
  }];
}

async function main(): Promise<number> {
  const rows: ForeignRow[] = [];
  for (const [name, folder] of await subjects()) {
    const found = await measure(name, folder).catch((error: Error) => print(`${name} is left out: ${error.message}`));
    for (const row of found ?? []) {
      print(`${row.holds ? "  " : "! "}${row.what}: ${row.figure}   [${row.target}]`);
      rows.push(row);
    }
  }
  const at = new Date().toISOString().slice(0, 10);
  await Deno.writeTextFile(RESULT, `${JSON.stringify({ at, rows }, null, 1)}\n`);
  await putTable({ ownRun: at, rows });
  return 0;
}

/** Puts the table into the last full run of the benchmark, and writes the page again. */
async function putTable(code: ForeignTable): Promise<void> {
  const report: Report = JSON.parse(await Deno.readTextFile(REPORT));
  const others = { ...report.others, code };
  await Deno.writeTextFile(REPORT, `${JSON.stringify({ ...report, others }, null, 2)}\n`);
  await Deno.writeTextFile(PAGE, renderPerformance({ ...report, others }));
}

if (import.meta.main) Deno.exit(await main());
