/** Refuses renames that cannot be known to be right, and says what to give. @module */
import { OpsError } from "../../core/error.ts";
import type { SymbolAnswer, SymbolDefinition } from "../../code_search/symbols/symbol.ts";

/** What happens to places where only the name is the same. */
type Unsure = "refuse" | "rename" | "leave";

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u;
const SHARED = /\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|cs)$/;
const MOST_NAMED = 12;

function listed(places: readonly { readonly path: string; readonly line: number }[]): string {
  const named = places.slice(0, MOST_NAMED).map(({ path, line }) => `${path}:${line}`);
  return named.join(", ") + (places.length > named.length ? ` and ${places.length - named.length} more` : "");
}

/** Definitions of one symbol have one key: a header and its source, overloads. */
function keyOf({ path, name }: SymbolDefinition): string {
  return SHARED.test(path) ? name : `${path}\n${name}`;
}

/** @throws OpsError INVALID_ARGUMENT, NOT_FOUND. */
export function refuseUnclear(
  { name, definitions, places, left_out, clashes = [] }: SymbolAnswer,
  newName: string,
  unsure: Unsure,
): void {
  const refuse = (message: string, hint: string) =>
    new OpsError("INVALID_ARGUMENT", `${message}; nothing was changed`, hint);
  if (!IDENTIFIER.test(newName)) throw refuse(`'${newName}' is not a name`, "Give a name in 'new_name'.");
  if (newName === name) throw refuse(`it is called '${name}' already`, "Give another name in 'new_name'.");
  if (definitions.length === 0) {
    throw new OpsError("NOT_FOUND", `no definition of '${name}' was found`, "Give the definition as path:line name.");
  }
  if (new Set(definitions.map(keyOf)).size > 1) {
    throw refuse(`'${name}' has several definitions: ${listed(definitions)}`, "Give one of them as path:line name.");
  }
  if (clashes.length > 0) {
    throw refuse(`'${newName}' is taken where '${name}' is used: ${listed(clashes)}`, "Choose another name.");
  }
  const unseen = left_out.filter(({ reason }) => reason.startsWith("not looked at, ") && !reason.includes("prose"));
  if (unseen.length > 0) {
    const reasons = unseen.map(({ reason, files }) => `${reason} (${files.join(", ")})`).join("; ");
    throw refuse(`not every use could be looked at: ${reasons}`, "Rename there by hand, with linux_fs_patch_block.");
  }
  const only = places.filter(({ certain }) => !certain);
  if (unsure === "refuse" && only.length > 0) {
    throw refuse(
      `${only.length} of ${places.length} places have the name and are not known to be '${name}': ${listed(only)}`,
      "Set unsure to 'rename' to rename them too, or to 'leave'.",
    );
  }
}
