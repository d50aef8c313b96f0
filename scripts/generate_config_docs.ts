/**
 * Generates schemas/llmc.schema.json, llmc.toml and docs/config.md from src/config/schema.ts. With `--check` it writes
 * nothing and fails when one of them is out of date.
 * @module
 */
import * as z from "zod";
import { expected } from "../src/config/check_value.ts";
import { environmentName, isSection, listKeys, OTHER_SPELLINGS, type SchemaNode } from "../src/config/keys.ts";
import { zodFileSchema } from "../src/config/schema.ts";
import { tomlKey, tomlValue } from "../src/config/toml.ts";
import { print, ROOT } from "./project.ts";

const WIDTH = 120;

/** The JSON Schema of the whole file, draft 2020-12. */
export function makeJsonSchema(): SchemaNode {
  const schema: unknown = z.toJSONSchema(zodFileSchema, { io: "input" });
  if (!isNode(schema)) throw new Error("zod made no object schema");
  return { ...schema, title: "llmc.toml" };
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && "type" in value && value.type === "object";
}

/** `llmc.toml`: every key with its default and one comment. */
export function renderToml(root: SchemaNode): string {
  const head = [
    "#:schema ./schemas/llmc.schema.json",
    "#",
    "# Every key of llmc-mcp with its default; a file needs only what it changes.",
    "# The command line goes before the environment, the environment before this file: see docs/config.md.",
    "# Paths: ~ is the home directory, a relative path begins at this file's folder.",
    "# Generated from src/config/schema.ts.",
  ];
  return `${[...head, ...tomlSection(root, [])].join("\n")}\n`;
}

function tomlSection(node: SchemaNode, path: readonly string[]): string[] {
  const children = Object.entries(node.properties ?? {});
  const keys = children.filter(([, child]) => !isSection(child));
  const sections = children.filter(([, child]) => isSection(child));
  const lines: string[] = [];
  if (keys.length > 0) lines.push("", ...comment(node.description ?? ""), `[${path.map(tomlKey).join(".")}]`);
  for (const [name, child] of keys) lines.push(...tomlEntry(name, child, OTHER_SPELLINGS[[...path, name].join(".")]));
  return [...lines, ...sections.flatMap(([name, child]) => tomlSection(child, [...path, name]))];
}

function tomlEntry(name: string, node: SchemaNode, other: string | undefined): string[] {
  const range = rangeOf(node);
  const about = comment(`${node.description ?? ""}${range === "" ? "" : ` (${range})`}`);
  // setting both spellings is an error as soon as they differ, so a complete file must leave one out
  if (other !== undefined) return [...about, `# ${name} = …`];
  const line = `${tomlKey(name)} = ${tomlValue(node.default)}`;
  return [...about, ...(line.length > WIDTH && Array.isArray(node.default) ? longList(name, node.default) : [line])];
}

function longList(name: string, items: readonly unknown[]): string[] {
  return [`${tomlKey(name)} = [`, ...wrap(items.map((item) => `${tomlValue(item)},`), "  "), "]"];
}

function comment(text: string): string[] {
  return wrap(text.split(" "), "# ");
}

function wrap(words: readonly string[], indent: string): string[] {
  const lines: string[] = [];
  let line = indent.trimEnd();
  for (const word of words) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent.trimEnd();
    }
    line += line.length < indent.length ? `${indent.slice(line.length)}${word}` : ` ${word}`;
  }
  return [...lines, line];
}

/** What a type alone does not say: bounds and allowed words. */
function rangeOf(node: SchemaNode): string {
  if (node.enum) return node.enum.map((word) => JSON.stringify(word)).join(", ");
  if (node.minimum !== undefined) return `${node.minimum} to ${node.maximum}`;
  return node.items?.enum ? `any of ${rangeOf(node.items)}` : "";
}

/** `docs/config.md`: one table per section. */
function renderDocs(root: SchemaNode): string {
  const sections = docSections(root, []);
  return `# Configuration

Generated from \`src/config/schema.ts\`; \`llmc.toml\` at the top of the repository has every key with its default.

**Search order of the file:** \`--config FILE\`, the variable \`LLMC_CONFIG\`, \`$XDG_CONFIG_HOME/llmc/llmc.toml\` (usually
\`~/.config/llmc/llmc.toml\`), \`/etc/llmc/llmc.toml\`. The first one found is used; no file is needed. A file named by \`--config\` or
\`LLMC_CONFIG\` must exist. \`llmc-mcp config init\` creates one. Where none is named, a \`./llmc.toml\` in the folder of the start is read
too, but can only narrow what all other layers say: a key that would open something stops the start with its name
([security.md](security.md)).

**Precedence:** command line, then environment, then file, then default.

- Command line: \`--set mcp.server.port=9000\` for any key. \`--host\` and \`--port\` set \`mcp.server.host\` and \`mcp.server.port\`;
  \`--root DIR\` adds to \`mcp.tools.allowed_roots\`.
- Environment: the variable in the table, \`LLMC_MCP__SERVER__PORT=9000\`. Lists are \`a,b\` or JSON, tables \`name=1,other=2\` or JSON;
  one name of a table can be set alone: \`--set mcp.te.budgets.default=20000\`. Switches take true/false, yes/no, on/off, 1/0.
- \`LLMC_ROOT=DIR\` is the root when neither file, environment nor command line sets one, and the folder in which a relative
  \`mcp.te.script_path\` begins.
- Paths: \`~\` is the home directory. A relative path begins at the folder of the file; from the environment and the command line
  at the working directory.

**Mistakes** prevent the start. Each is reported with file, line and column; for an unknown key the nearest known one is
suggested. An environment variable that begins with \`LLMC_MCP__\` and does not name a key is a mistake too.

**Secrets** are not in the file: \`mcp.auth\` names the variable or the file that holds the token.

\`llmc-mcp config show\` prints every effective value and which layer set it, \`config check\` validates, \`config schema\` prints the
JSON Schema, and \`config path\` prints which file is used.

${sections.join("\n")}`;
}

function docSections(node: SchemaNode, path: readonly string[]): string[] {
  const children = Object.entries(node.properties ?? {});
  const rows = children.filter(([, child]) => !isSection(child)).map(([name, child]) => docRow(child, [...path, name]));
  const below = children.filter(([, child]) => isSection(child))
    .flatMap(([name, child]) => docSections(child, [...path, name]));
  if (rows.length === 0) return below;
  const head = [`## [${path.join(".")}]`, "", node.description ?? "", ""];
  const table = ["| key | type | default | variable | meaning |", "|---|---|---|---|---|", ...rows];
  return [`${[...head, ...table].join("\n")}\n`, ...below];
}

function docRow(node: SchemaNode, path: readonly string[]): string {
  const other = OTHER_SPELLINGS[path.join(".")];
  const standard = other === undefined ? code(tomlValue(node.default)) : "not set";
  const cells = [
    code(path.at(-1) ?? ""),
    cell(typeOf(node)),
    standard,
    code(environmentName(path)),
    cell(node.description ?? ""),
  ];
  return `| ${cells.join(" | ")} |`;
}

function typeOf(node: SchemaNode): string {
  if (node.enum) return node.enum.map((word) => JSON.stringify(word)).join(", ");
  if (node.type === "array" && node.items) return `list: ${typeOf(node.items)}`;
  if (node.type === "object" && typeof node.additionalProperties === "object") {
    return `table: ${typeOf(node.additionalProperties)}`;
  }
  return node.type === "boolean" ? "true, false" : expected(node).replace(/^an? /, "");
}

function code(text: string): string {
  return `\`${cell(text)}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** Every generated file with its text. */
export function renderAll(): Readonly<Record<string, string>> {
  const schema = makeJsonSchema();
  const silent = listKeys(schema).filter(({ node }) => (node.description ?? "") === "");
  if (silent.length > 0) throw new Error(`keys without a description: ${silent.map(({ name }) => name).join(", ")}`);
  return {
    "schemas/llmc.schema.json": `${JSON.stringify(schema, null, 2)}\n`,
    "llmc.toml": renderToml(schema),
    "docs/config.md": renderDocs(schema),
  };
}

if (import.meta.main) {
  const check = Deno.args.includes("--check");
  let stale = false;
  for (const [path, text] of Object.entries(renderAll())) {
    const file = `${ROOT}/${path}`;
    const current = await Deno.readTextFile(file).catch(() => "");
    if (current === text) continue;
    if (check) {
      stale = true;
      print(`${path} is out of date: deno run -A scripts/generate_config_docs.ts`);
    } else {
      await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(file, text);
      print(`wrote ${path}`);
    }
  }
  if (stale) Deno.exit(1);
}
