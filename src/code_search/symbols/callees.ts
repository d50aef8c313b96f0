/** Finds what a definition calls. @module */
import type { SyntaxNode } from "../../sys/grammar.ts";
import type { UnseenCounter } from "./left_out.ts";
import type { Resolver } from "./resolve.ts";
import { isSame, type Target } from "./target.ts";
import { placeOf } from "./symbol_places.ts";
import type { SymbolPlace } from "./symbol.ts";

/** A definition that calls more is a table. */
const MOST_CALLS = 500;
const CALLED_NAME = /([\p{L}_$][\p{L}\p{N}_$]*)\W*$/u;

/** Names at the ends of what is called in a node. */
function calledNames(target: Target): Map<string, Set<number>> {
  const { file, declared } = target, found = new Map<string, Set<number>>();
  const root = file.tree()?.root;
  const types = [...new Set([...file.syntax.calls].map((key) => key.slice(0, key.indexOf("."))))];
  const from = root?.descendantForIndex(declared.whole.start, Math.max(declared.whole.start, declared.whole.end - 1)) ??
    null;
  let calls = 0;
  for (const node of from?.descendantsOfType(types) ?? []) {
    if (node === null || node.startIndex < declared.whole.start || node.endIndex > declared.whole.end) continue;
    const callee = calleeOf(node, file.syntax.calls);
    const name = CALLED_NAME.exec(callee?.text.slice(-200) ?? "");
    if (callee === null || name?.[1] === undefined || ++calls > MOST_CALLS) continue;
    const at = callee.endIndex - (name[0]?.length ?? 0);
    found.set(name[1], (found.get(name[1]) ?? new Set()).add(at));
  }
  return found;
}

function calleeOf(node: SyntaxNode, calls: ReadonlySet<string>): SyntaxNode | null {
  for (const key of calls) {
    const dot = key.indexOf("."), field = key.slice(dot + 1);
    if (key.slice(0, dot) !== node.type) continue;
    const callee = field === "" ? node.namedChild(0) : node.childForFieldName(field);
    if (callee !== null) return callee;
  }
  return null;
}

/** The calls in definitions that lead to something declared in the tree, as the declarations; others are counted. */
export async function findCallees(
  chosen: readonly Target[],
  resolver: Resolver,
  leftOut: UnseenCounter,
): Promise<SymbolPlace[]> {
  const seen: Target[] = [], places: SymbolPlace[] = [];
  for (const target of chosen) {
    for (const [name, starts] of calledNames(target)) {
      for (const occurrence of target.file.occurrences(name)) {
        if (!starts.has(occurrence.start) || occurrence.declared !== undefined) continue;
        const meaning = await resolver.resolve(target.file, name, occurrence);
        if (meaning.is === "declared") {
          for (const one of meaning.targets) {
            if (seen.some((known) => isSame(known, one))) continue;
            seen.push(one);
            places.push({
              ...placeOf(one.file, one.occurrence, true),
              inside: [...one.occurrence.inside, name].join("."),
            });
          }
        } else {leftOut.add(
            meaning.is === "unknown"
              ? "not followed, the type of the object is not known"
              : "calls of what is not declared here",
            `${name}()`,
          );}
      }
    }
  }
  return places;
}
