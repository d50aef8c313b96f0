/** `code_symbol`: finds where a symbol is defined, used, called and tested, from the syntax of the files as they are. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { SYMBOL_WANTS, type SymbolWant } from "../../code_search/symbols/symbol.ts";
import { restAt } from "../../core/bound.ts";
import { bodyTokens, keepRest, metaLine } from "../keep_rest.ts";
import { readSymbol } from "./symbol_argument.ts";
import { symbolText } from "./symbol_text.ts";

const definition = () =>
  z.object({
    path: z.string(),
    line: z.int(),
    end_line: z.int(),
    kind: z.string(),
    name: z.string(),
    text: z.string(),
  });

const output = () =>
  z.object({
    name: z.string(),
    want: z.enum(SYMBOL_WANTS),
    definitions: z.array(definition()).readonly(),
    places: z.array(z.object({
      path: z.string(),
      line: z.int(),
      column: z.int(),
      text: z.string(),
      inside: z.string(),
      certain: z.boolean(),
    })).readonly(),
    /** Places in all, and those of them that scope, import or type prove. */
    total_places: z.int(),
    certain_places: z.int(),
    total_files: z.int(),
    left_out: z.array(z.object({ reason: z.string(), count: z.int(), files: z.array(z.string()).readonly() }))
      .readonly(),
    /** Rows of the text that is shown. */
    shown_rows: z.int(),
    /** Holds what the text does not show. */
    handle: z.string().nullable(),
  });

type Result = z.output<ReturnType<typeof output>>;

/** Places that the structure holds; the handle has all. */
const MOST_PLACES = 500;
/** Tokens of an answer's text; what is beyond is behind the handle. */
const TEXT_TOKENS = 1_200;

const NOUNS: Readonly<Record<SymbolWant, string>> = {
  definition: "uses",
  references: "references",
  callers: "calls",
  callees: "called definitions",
  implementations: "implementations",
  outline: "definitions",
  tests: "uses in tests",
};

/** See the summary. */
export const codeSymbol = defineTool({
  name: "code_symbol",
  title: "Find a symbol",
  summary: "Uses of a symbol by scope, import and type. symbol: name, Type.member, path:line, or path for outline.",
  toolset: "code",
  effect: "read",
  input: () => z.strictObject({ symbol: z.string().max(1_000), want: z.enum(SYMBOL_WANTS).default("references") }),
  output,
  render: (result) => [...symbolText(result).lines.slice(0, result.shown_rows), notes(result)].join("\n"),
  async run({ symbol, want }, context) {
    const { index, paths, signal, handles, owner, config } = context;
    const named = want === "outline" ? { path: await paths.existing(symbol) } : await readSymbol(symbol, context);
    const answer = await index.symbol({ ...named, want, signal });
    const { lines } = symbolText(answer);
    const shown = symbolText(answer, Math.min(TEXT_TOKENS, bodyTokens(config))).lines.length;
    const keep = () => handles.put({ kind: "hits", owner, payload: lines.join("\n"), meta: { symbol, want } });
    return {
      ...answer,
      places: answer.places.slice(0, MOST_PLACES),
      total_places: answer.places.length,
      certain_places: answer.places.filter(({ certain }) => certain).length,
      total_files: new Set(answer.places.map(({ path }) => path)).size,
      shown_rows: shown,
      handle: shown === lines.length ? null : keepRest(keep),
    };
  },
});

/** The line below: how many, how sure, what was not looked at, and where the rest is. */
function notes(result: Result): string {
  const { want, definitions, total_places, certain_places, total_files, shown_rows, handle, left_out } = result;
  const unsure = total_places - certain_places, isOutline = want === "outline", isPlain = want === "definition";
  return metaLine(
    definitions.length === 0 && !isOutline && "no definition found",
    definitions.length > 1 && !isOutline && !isPlain &&
      `any of ${definitions.length} definitions; path:line chooses one`,
    isOutline && `${definitions.length} definitions`,
    isPlain && `${definitions.length} ${definitions.length === 1 ? "definition" : "definitions"}`,
    !isOutline && (!isPlain || total_places > 0) &&
      `${total_places} ${NOUNS[want]} in ${total_files} ${total_files === 1 ? "file" : "files"}`,
    unsure > 0 && `${unsure} by name only, marked ?`,
    ...leftOutTexts(left_out),
    handle !== null && restAt(handle, shown_rows),
  );
}

function leftOutTexts(leftOut: Result["left_out"]): string[] {
  return leftOut.map(({ reason, count, files }) =>
    `${reason}: ${count} (${files.join(", ")}${files.length < count ? ", …" : ""})`
  );
}
