/** Prompts, which clients offer to people mostly as slash commands. @module */
import type { Settings } from "../../config/schema.ts";
import { nearest } from "../../config/suggest.ts";
import { OpsError } from "../../core/error.ts";
import { type Catalog, shownName } from "../../call/catalog.ts";
import { type Instruct, PROMPTS } from "./prompt_texts.ts";

/** A prompt in the list. */
export interface ListedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

/** What a person's choice becomes: one message to the model. */
export interface FilledPrompt {
  readonly description: string;
  readonly text: string;
}

/** The prompts. */
export interface Prompts {
  /** Those whose tools are on. */
  list(): readonly ListedPrompt[];
  /** @throws OpsError NOT_FOUND, INVALID_ARGUMENT */
  fill(name: string, args: Readonly<Record<string, string>>): FilledPrompt;
  /** What the argument is, for its completion; undefined when there is nothing to complete. @throws OpsError NOT_FOUND */
  argumentKind(name: string, argument: string): "directory" | readonly string[] | undefined;
}

/** Arguments go into one message; no one types more. */
const MAX_ARGUMENT_CHARS = 2_000;

/** Makes them. */
export function makePrompts(catalog: Catalog, settings: () => Settings): Prompts {
  const offered = () => PROMPTS.filter(({ needs }) => needs.every(catalog.isEnabled));
  const find = (name: string) => {
    const found = offered().find((prompt) => prompt.name === name);
    if (found) return found;
    const near = nearest(name, offered().map((prompt) => prompt.name));
    const hint = near ? `Did you mean '${near}'?` : "List the prompts first.";
    throw new OpsError("NOT_FOUND", `there is no prompt '${name.slice(0, 80)}'`, hint);
  };
  return {
    list: () =>
      offered().map(({ name, title, description, args }) => ({
        name,
        title,
        description,
        arguments: args.map((each) => ({ name: each.name, description: each.description, required: each.required })),
      })),
    fill(name, args) {
      const prompt = find(name);
      const values: Record<string, string> = {};
      for (const { name: argument, required } of prompt.args) {
        const value = (args[argument] ?? "").trim();
        if (value === "" && required) {
          throw new OpsError("INVALID_ARGUMENT", `the prompt '${name}' needs '${argument}'`, "Give it.");
        }
        values[argument] = value.slice(0, MAX_ARGUMENT_CHARS);
      }
      const instruct: Instruct = {
        tool: (tool) => shownName(tool, settings()),
        has: catalog.isEnabled,
      };
      return { description: prompt.description, text: prompt.text(values, instruct) };
    },
    argumentKind: (name, argument) => find(name).args.find((each) => each.name === argument)?.values,
  };
}
