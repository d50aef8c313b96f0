/** Lists the definitions of a file. @module */
import { findDefinitions } from "../definitions.ts";
import type { Grammars } from "../../sys/grammar.ts";
import type { Workspace } from "./source_file.ts";
import type { SymbolDefinition, SymbolLeftOut } from "./symbol.ts";

/** The outline; without a grammar it says so. */
export async function outlineOf(
  path: string,
  { workspace, grammars }: { readonly workspace: Workspace; readonly grammars: Grammars },
): Promise<{ readonly definitions: readonly SymbolDefinition[]; readonly left_out: readonly SymbolLeftOut[] }> {
  const none = (reason: string) => ({ definitions: [], left_out: [{ reason, count: 1, files: [path] }] });
  const file = await workspace.open(path);
  if (typeof file === "string") return none(file);
  const found = findDefinitions(await grammars.load(file.grammar), file.grammar, file.text, "default");
  if (found === undefined) return none("parser gave up");
  const open: { endRow: number; name: string }[] = [];
  const definitions = found.map(({ kind, names, of, startRow, endRow, start }): SymbolDefinition => {
    while (open.length > 0 && (open.at(-1)?.endRow ?? 0) < startRow) open.pop();
    const name = names.join(", ");
    const inside = [...open.map((one) => one.name), ...of === "" ? [] : [of], name].filter((part) => part !== "");
    open.push({ endRow, name });
    return {
      path,
      line: startRow + 1,
      end_line: endRow + 1,
      kind,
      name: inside.join("."),
      text: file.lineAt(file.rowOf(start)).trim().slice(0, 160),
    };
  });
  return { definitions, left_out: [] };
}
