/** Applies the argument rules to one command. @module */
import { refuse, refuseUnconfined } from "./refusal.ts";
import { type Rule, RULES } from "./rules.ts";
import { type Arguments, isOption, type Syntax, type Word } from "../../core/options.ts";

/** What a row needs done that it cannot do itself. */
export interface RuleEffects {
  readonly confined: boolean;
  /** A value that names a file. */
  path(word: Pick<Word, "text" | "literal">): Promise<void>;
  /** A value that is a command line; null when it is missing. */
  program(word: Word | null): Promise<void>;
}

/** @throws OpsError COMMAND_NOT_ALLOWED, INVALID_PATH */
export async function applyRules(
  family: string,
  given: Arguments,
  syntax: Syntax,
  effects: RuleEffects,
): Promise<void> {
  for (const rule of rulesOf(family)) {
    for (const { what, value } of hitsOf(rule, given, syntax)) {
      const shown = `${family.replace(" *", "")} ${what}`;
      if (rule.action === "refuse") throw refuse(shown, rule.reason);
      if (rule.action === "confined" && !effects.confined) throw refuseUnconfined(shown, rule.reason);
      if (rule.action === "program") await effects.program(value);
      if (value && (rule.action === "path" || rule.path)) await effects.path(value);
    }
  }
}

/** Whether any row is about starting programs, so that an argument unknown in advance could do that. */
export function canStartPrograms(family: string): boolean {
  return LANGUAGES.has(family) || rulesOf(family).some(({ action }) => action === "refuse" || action === "program");
}

/** Their commands are not options, see inspect_arguments.ts. */
const LANGUAGES = new Set(["find", "git", "sed", "awk"]);

const rulesOf = (family: string): readonly Rule[] => RULES.filter(({ program }) => program === family);

interface Hit {
  readonly what: string;
  readonly value: Word | null;
}

function hitsOf(rule: Rule, { options, operands }: Arguments, syntax: Syntax): Hit[] {
  const { matching, maxOperands } = rule;
  if (maxOperands !== undefined) {
    const extra = operands[maxOperands];
    return extra ? [{ what: extra.text, value: extra }] : [];
  }
  if (!rule.options) {
    return operands.filter(({ text }) => matching?.test(text)).map((value) => ({ what: value.text, value }));
  }
  const names = rule.options;
  return options
    .filter(({ name }) => names.some((ruled) => isOption(name, ruled, syntax)))
    .filter(({ value }) => !matching || value !== null && (matching.test(value.text) || !value.literal))
    .map(({ name, value }) => ({ what: name, value }));
}
