/** Completes arguments of prompts and variables of resource templates. @module */
import type { Holder } from "../../call/answer.ts";
import type { Config } from "../../config/resolve.ts";
import type { PathGuard } from "../../roots/path_guard.ts";
import { completePath } from "./complete_path.ts";
import type { Prompts } from "./prompts.ts";
import type { Resources } from "./resources/resources.ts";

/** What is being completed. */
export type CompletionTarget =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

/** What completing needs. */
export interface CompletionDeps {
  readonly config: Config;
  readonly paths: PathGuard;
  readonly prompts: Prompts;
  readonly resources: Resources;
}

/** The most that the protocol allows in one answer. */
const MAX_VALUES = 100;

/** Values that begin as `argument.value` does. @throws OpsError NOT_FOUND for a prompt or template that there is not. */
export async function complete(
  { config, paths, prompts, resources }: CompletionDeps,
  target: CompletionTarget,
  argument: { readonly name: string; readonly value: string },
  holder: Holder,
): Promise<{ values: string[]; hasMore: boolean }> {
  const all = target.type === "ref/resource"
    ? await resources.complete(target.uri, argument.value, holder)
    : await ofPrompt(target.name);
  return { values: all.slice(0, MAX_VALUES), hasMore: all.length > MAX_VALUES };

  async function ofPrompt(name: string): Promise<readonly string[]> {
    const kind = prompts.argumentKind(name, argument.name);
    if (kind === undefined) return [];
    if (kind === "directory") {
      return await completePath(argument.value, holder.paths ?? paths, config.protectedPaths, "directories");
    }
    return kind.filter((value) => value.startsWith(argument.value));
  }
}
