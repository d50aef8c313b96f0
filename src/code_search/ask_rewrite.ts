/** Asks the indexer what a rewrite changes in every indexed folder that a caller may see. @module */
import { OpsError } from "../core/error.ts";
import { isInside, joinPath } from "../core/path.ts";
import { type AskSymbolDeps, filesWith } from "./ask_symbol.ts";
import type { RewriteRequest } from "./index.ts";
import type { RewriteAnswer, RewritePlace } from "./rewrite/find_rewrites.ts";
import { isInPart, partOf } from "./within.ts";

/** Answers a request. @throws OpsError INVALID_ARGUMENT */
export async function askRewrite(
  { pattern, replacement, grammar, path, within, signal }: RewriteRequest,
  { roots, verbs, search, display }: AskSymbolDeps,
): Promise<RewriteAnswer> {
  const holding = roots.filter((root) => path === undefined || isInside(path, root));
  if (holding.length === 0) throw new OpsError("INVALID_ARGUMENT", "the path is not in an indexed folder");
  const places: RewritePlace[] = [], unread: string[] = [];
  for (const root of holding) {
    signal.throwIfAborted();
    const word = await verbs.rewriteWord(root, { pattern, grammar });
    const { files, leftOut } = await filesWith(word, root, partOf(root, within), search, signal);
    const below = path === undefined || path === root ? "" : path.slice(joinPath(root, "").length);
    const chosen = files.filter((file) => below === "" || file === below || isInPart(file, [`${below}/`]));
    const answer = await verbs.rewrite(root, { pattern, replacement, grammar, files: chosen });
    places.push(...answer.places.map((one) => ({ ...one, path: display(joinPath(root, one.path)) })));
    unread.push(...answer.unread, ...leftOut.map(({ reason, count }) => `${reason}: ${count}`));
  }
  return { places, unread };
}
