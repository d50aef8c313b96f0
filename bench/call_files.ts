/**
 * Counts the files of src/ that one call runs: those with at least one function that one more call executes. `--names`
 * lists them.
 * @module
 */
import { print, ROOT } from "../scripts/project.ts";

/** Calls, and how many files each may pass. */
const CALLS: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>, most: number])[] = [
  ["linux_fs_read", { path: "a.txt" }, 36],
  ["run_cmd", { command: "cat a.txt" }, 55],
];

/** Calls before the one that is counted: a first call opens what later ones share. */
const WARM_CALLS = 2;

/** How often each function of src/ ran, by file, in a program that makes so many calls. */
async function coverage(tool: string, args: object, calls: number): Promise<Map<string, number>> {
  const directory = await Deno.makeTempDir();
  try {
    const script = new URL("./call_files/calls.ts", import.meta.url).pathname;
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", `--coverage=${directory}`, script, tool, JSON.stringify(args), String(calls)],
      stdout: "null",
    });
    const { success } = await command.output();
    if (!success) throw new Error(`${tool} failed`);
    const runs = new Map<string, number>();
    for await (const { name } of Deno.readDir(directory)) {
      if (!name.endsWith(".json")) continue;
      const { url, functions } = Object(JSON.parse(await Deno.readTextFile(`${directory}/${name}`)));
      if (!String(url).startsWith(`file://${ROOT}/src/`)) continue;
      for (const { functionName, ranges: [range] } of functions) {
        const key = `${String(url).slice(`file://${ROOT}/`.length)} ${functionName} ${range.startOffset}`;
        runs.set(key, Number(range.count));
      }
    }
    return runs;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** Files with a function that the last of the calls ran. */
async function filesOf(tool: string, args: object): Promise<string[]> {
  const [before, after] = await Promise.all([coverage(tool, args, WARM_CALLS), coverage(tool, args, WARM_CALLS + 1)]);
  const ran = [...after].filter(([key, count]) => count > (before.get(key) ?? 0)).map(([key]) =>
    key.split(" ")[0] ?? ""
  );
  return [...new Set(ran)].sort();
}

if (import.meta.main) {
  let tooMany = false;
  for (const [tool, args, most] of CALLS) {
    const files = await filesOf(tool, args);
    print(`${tool}: ${files.length} files, at most ${most}`);
    if (Deno.args.includes("--names")) print(files.map((file) => `  ${file}`).join("\n"));
    tooMany ||= files.length > most;
  }
  Deno.exit(tooMany ? 1 : 0);
}
