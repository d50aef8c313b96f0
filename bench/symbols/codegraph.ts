/** Asks @colbymchenry/codegraph, the peer with a graph of symbols, for the callers of a symbol. @module */

/** A caller: a file, and the name of the definition that calls. */
export type Caller = string;

/** An indexed copy of a tree. */
export interface CodeGraph extends AsyncDisposable {
  /** Undefined where it finds no such symbol in the file. */
  callers(name: string, path: string, row: number): Promise<readonly Caller[] | undefined>;
}

// no program is downloaded, nothing is reported, and no process stays
const ENV = { CODEGRAPH_NO_DOWNLOAD: "1", CODEGRAPH_TELEMETRY: "0", CODEGRAPH_NO_DAEMON: "1", DO_NOT_TRACK: "1" };

interface Found {
  readonly definitions?: readonly {
    readonly definition: { readonly filePath: string; readonly startLine: number };
    readonly callers: readonly { readonly name: string; readonly filePath: string }[];
  }[];
}

async function run(main: string, args: readonly string[], cwd: string): Promise<string> {
  const command = new Deno.Command("node", { args: [main, ...args], cwd, env: ENV, stdin: "null", stderr: "null" });
  const { stdout } = await command.output();
  return new TextDecoder().decode(stdout);
}

/** Indexes a copy of a tree: the peer keeps its index inside. @param main Its script. */
export async function openCodeGraph(main: string, root: string): Promise<CodeGraph> {
  const work = await Deno.makeTempDir({ prefix: "llmc-codegraph-" });
  await new Deno.Command("cp", { args: ["-r", `${root}/.`, work] }).output();
  await run(main, ["init", "."], work);
  return {
    async callers(name, path, row) {
      const text = await run(main, ["callers", "--json", "--limit", "500", "--file", path, name], work);
      const start = text.indexOf("{");
      if (start < 0) return undefined;
      const { definitions = [] }: Found = JSON.parse(text.slice(start));
      const one = definitions.find(({ definition }) =>
        definition.filePath === path && Math.abs(definition.startLine - row - 1) <= 1
      );
      return one?.callers.map((caller) => `${caller.filePath} ${caller.name}`);
    },
    [Symbol.asyncDispose]: () => Deno.remove(work, { recursive: true }),
  };
}
