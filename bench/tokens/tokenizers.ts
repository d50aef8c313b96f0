/** Real tokenizers, loaded only by benchmarks because they are large. @module */

/** Counts the tokens of a text exactly. */
export type Count = (text: string) => number;

const O200K = "npm:gpt-tokenizer@4.0.0/encoding/o200k_base";
const AI_TOKENIZER = "npm:ai-tokenizer@1.0.6";

/** o200k_base, byte for byte; text that looks like a control token is text. */
export async function loadO200k(): Promise<Count> {
  const { countTokens } = await load(O200K);
  if (typeof countTokens !== "function") throw new Error(`${O200K} has no countTokens`);
  const options = { disallowedSpecial: new Set() };
  return (text) => Number(countTokens(text, options));
}

/** A vocabulary that imitates Claude's. */
export async function loadClaude(): Promise<Count> {
  const { default: Tokenizer } = await load(AI_TOKENIZER);
  const { claude } = await load(`${AI_TOKENIZER}/encoding`);
  if (typeof Tokenizer !== "function") throw new Error(`${AI_TOKENIZER} has no Tokenizer`);
  const tokenizer = Reflect.construct(Tokenizer, [claude]);
  return (text) => Number(tokenizer.count(text));
}

/** A specifier that is no literal is looked for when it runs, not when the project is checked. */
async function load(specifier: string): Promise<Readonly<Record<string, unknown>>> {
  return await import(specifier);
}
