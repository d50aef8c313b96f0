/** Reads how a name is imported, from the nodes around it. @module */
import type { GrammarName, SyntaxNode } from "../../sys/grammar.ts";
import type { Link } from "./node_chain.ts";

/** A name that comes from another module. */
export interface ImportedName {
  /** The module as it is written. */
  readonly module: string;
  /** Its name there: `*` for the module itself, `default` for what it exports without a name. */
  readonly name: string;
  /** Under which other name it is used in this file; empty when it is not used, only passed on. */
  readonly as: string;
}

const unquoted = (node: SyntaxNode | null): string => (node?.text ?? "").replace(/^["'`<]|["'`>]$/g, "");
const linkOf = (chain: readonly Link[], type: RegExp): Link | undefined => chain.findLast((one) => type.test(one.type));

/** The module of `require("…")`, whatever is around it. */
function requiredModule(value: SyntaxNode | null): string | undefined {
  return /^(?:await\s+import|require)\s*\(\s*["'`]([^"'`]+)["'`]\s*\)$/.exec(value?.text.slice(0, 300) ?? "")?.[1];
}

function webImport(chain: readonly Link[], name: string): ImportedName | undefined {
  const above = chain.at(-2), field = chain.at(-1)?.field;
  const statement = linkOf(chain, /^(?:import_statement|export_statement)$/)?.node;
  const source = statement?.childForFieldName("source") ?? null;
  if (source !== null && above !== undefined) {
    const module = unquoted(source);
    const original = above.node.childForFieldName("name")?.text ?? name;
    const alias = above.node.childForFieldName("alias")?.text;
    if (above.type === "import_specifier") return { module, name: original, as: alias ?? name };
    if (above.type === "export_specifier") return { module, name: original, as: field === "alias" ? name : "" };
    if (above.type === "namespace_import" || above.type === "namespace_export") return { module, name: "*", as: name };
    if (above.type === "import_clause") return { module, name: "default", as: name };
  }
  const declarator = linkOf(chain, /^variable_declarator$/);
  const module = requiredModule(declarator?.node.childForFieldName("value") ?? null);
  if (declarator === undefined || module === undefined) return undefined;
  if (above?.type === "variable_declarator" && field === "name") return { module, name: "*", as: name };
  if (chain.at(-1)?.type === "shorthand_property_identifier_pattern") return { module, name, as: name };
  if (above?.type !== "pair_pattern") return undefined;
  return { module, name: above.node.childForFieldName("key")?.text ?? name, as: field === "value" ? name : "" };
}

function pythonImport(chain: readonly Link[], name: string): ImportedName | undefined {
  const statement = linkOf(chain, /^(?:import_from_statement|import_statement)$/);
  const dotted = linkOf(chain, /^dotted_name$/), aliased = linkOf(chain, /^aliased_import$/);
  if (statement === undefined || chain.some(({ field }) => field === "module_name")) return undefined;
  const whole = aliased?.node.childForFieldName("name")?.text ?? dotted?.node.text ?? name;
  const as = aliased?.node.childForFieldName("alias")?.text;
  if (statement.type === "import_from_statement") {
    return { module: statement.node.childForFieldName("module_name")?.text ?? "", name: whole, as: as ?? name };
  }
  if (as !== undefined) return { module: whole, name: "*", as };
  const [first = name] = whole.split(".");
  return name === first ? { module: first, name: "*", as: first } : undefined;
}

function rustImport(chain: readonly Link[], name: string): ImportedName | undefined {
  const start = chain.findIndex(({ type }) => type === "use_declaration");
  if (start < 0) return undefined;
  const above = chain.at(-2), field = chain.at(-1)?.field;
  if (field === "path" && above?.type !== "use_as_clause") return undefined; // a module on the way
  const path: string[] = [];
  for (const [at, { node, type }] of chain.entries()) {
    const inPath = chain[at + 1]?.field === "path";
    if (at > start && !inPath && (type === "scoped_use_list" || type === "scoped_identifier")) {
      path.push(node.childForFieldName("path")?.text ?? "");
    }
    if (at > start && inPath && type !== "use_as_clause") return undefined;
  }
  const clause = above?.type === "use_as_clause" ? above : chain.findLast(({ type }) => type === "use_as_clause");
  const original = clause?.node.childForFieldName("path");
  const module = [...path.filter((part) => part !== ""), ...original?.text.split("::").slice(0, -1) ?? []];
  const alias = clause?.node.childForFieldName("alias")?.text;
  return {
    module: [...new Set(module)].join("::"),
    name: original?.text.split("::").at(-1) ?? name,
    as: alias ?? name,
  };
}

function dottedImport(chain: readonly Link[], name: string): ImportedName | undefined {
  const statement = linkOf(chain, /^(?:import_declaration|namespace_use_clause)$/);
  if (statement === undefined) return undefined;
  const alias = statement.node.childForFieldName("alias")?.text;
  const whole = statement.node.namedChild(0)?.text ?? "";
  const parts = whole.split(/[.\\]/), last = parts.pop() ?? "";
  if (name !== last && name !== alias) return undefined;
  return { module: parts.join("/"), name: last, as: alias ?? name };
}

const READERS: Partial<Record<GrammarName, (chain: readonly Link[], name: string) => ImportedName | undefined>> = {
  typescript: webImport,
  tsx: webImport,
  javascript: webImport,
  python: pythonImport,
  rust: rustImport,
  java: dottedImport,
  php: dottedImport,
};

/** Nodes in which a name is imported, or a module on the way to one. */
const IMPORTING =
  /^(?:import_statement|import_from_statement|use_declaration|import_declaration|namespace_use_clause)$/;

/** How the name at the end of a chain is imported; `path` when it is a part of a module's path; undefined elsewhere. */
export function importedName(
  chain: readonly Link[],
  name: string,
  grammar: GrammarName,
): ImportedName | "path" | undefined {
  const read = READERS[grammar]?.(chain, name);
  if (read !== undefined) return read;
  return chain.some(({ type }) => IMPORTING.test(type)) ? "path" : undefined;
}

/** A Go import, whose name is not written where it is imported. */
const GO_IMPORT = /^[^\S\n]*(?:import\s+)?(?:([\w.]+)\s+)?"([\w./-]+)"\s*$/gm;

/** The path of the package that goes by a name in a Go file. */
export function goPackage(text: string, name: string): string | undefined {
  for (const [, alias, path = ""] of text.matchAll(GO_IMPORT)) {
    const last = path.replace(/\/v\d+$/, "").split("/").at(-1)?.replace(/^go-|\.go$/, "");
    if ((alias ?? last) === name) return path;
  }
  return undefined;
}

const STARS: Partial<Record<GrammarName, RegExp>> = {
  python: /^[^\S\n]*from\s+([.\w]+)\s+import\s+\*/gm,
  rust: /^[^\S\n]*(?:pub\s+)?use\s+([\w:]+)::\*\s*;/gm,
  typescript: /^[^\S\n]*export\s+(?:type\s+)?\*\s+from\s+["']([^"'\n]+)["']/gm,
  java: /^[^\S\n]*import\s+(?:static\s+)?([\w.]+)\.\*\s*;/gm,
};

/** Modules all of whose names a file takes over. */
export function starImports(text: string, grammar: GrammarName): string[] {
  const pattern = STARS[grammar === "tsx" || grammar === "javascript" ? "typescript" : grammar];
  return pattern === undefined ? [] : [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}
