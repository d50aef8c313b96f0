/** Keeps secrets out of what a call answers, and puts them back into what a call writes. @module */
import { OpsError } from "../core/error.ts";
import { baseName } from "../core/path.ts";
import { isSecretFile } from "../core/secrets/file_values.ts";
import { mapTexts } from "../core/map_texts.ts";
import type { Masker } from "../core/secrets/masker.ts";
import type { PathGuard } from "../roots/path_guard.ts";
import { maskInPieces, PIECE_CHARS } from "../sys/mask_in_pieces.ts";
import { makePacer } from "../sys/pacer.ts";
import type { SecretFiles } from "../sys/files/secret_files.ts";
import type { Tool } from "./tool.ts";

/** What the pipeline of a call needs. */
export interface Secrets extends Pick<Masker, "mask" | "maskValue"> {
  /** As `mask`, for texts of any length: others get their turn. */
  maskLong(text: string): Promise<string>;
  /** As `maskValue`, for values of any size. */
  maskResult<T>(value: T): Promise<T>;
  /** Brings the values of the files up to date. @param args Of the call: a file that they name may be new. */
  refresh(args: object, paths: PathGuard): Promise<void>;
  /**
   * The arguments that a tool runs with: where it changes files, placeholders become the secrets again.
   *
   * @throws OpsError INVALID_ARGUMENT for a placeholder that was never given out.
   */
  argumentsFor<T extends object>(
    tool: Pick<Tool, "effect">,
    args: T,
  ): { readonly args: T; readonly notes: readonly string[] };
}

/** Shows everything as it is: `mcp.secrets.mode` is off. */
export const withoutMasking: Secrets = {
  mask: (text) => text,
  maskValue: (value) => value,
  maskLong: (text) => Promise.resolve(text),
  maskResult: (value) => Promise.resolve(value),
  refresh: () => Promise.resolve(),
  argumentsFor: (_, args) => ({ args, notes: [] }),
};

/** Texts that are masked at once: each costs something, however short it is. */
const MAX_TEXTS = 500;
const UNKNOWN_HINT = "Read the file that holds it again; its placeholder then means the value that is there now.";
const NOT_IN_COMMANDS =
  "placeholders of secrets are not replaced in commands: let the program read the file or variable itself";

/** Masks with one masker for all calls. */
export function makeSecrets(masker: Masker, files: SecretFiles): Secrets {
  return {
    mask: masker.mask,
    maskValue: masker.maskValue,
    maskLong: (text) => maskInPieces(text, masker.mask),
    async maskResult(value) {
      const texts: string[] = [];
      let chars = 0;
      mapTexts(value, (text) => {
        texts.push(text);
        chars += text.length;
        return text;
      });
      if (chars <= PIECE_CHARS && texts.length <= MAX_TEXTS) return masker.maskValue(value);
      const masked = new Map<string, string>(), pacer = makePacer(new AbortController().signal);
      for (const text of texts) {
        await pacer();
        masked.set(text, await maskInPieces(text, masker.mask));
      }
      return mapTexts(value, (text) => masked.get(text) ?? text);
    },
    async refresh(args, paths) {
      await files.refresh();
      const { path } = { path: undefined, ...args };
      if (typeof path !== "string" || !isSecretFile(baseName(path))) return;
      const real = await paths.existing(path).catch((error: unknown) => {
        if (error instanceof OpsError) return undefined; // the tool says so
        throw error;
      });
      if (real !== undefined) await files.look(real);
    },
    argumentsFor(tool, args) {
      if (tool.effect === "read" || !JSON.stringify(args).includes("«secret:")) return { args, notes: [] };
      if (tool.effect === "execute") return { args, notes: [NOT_IN_COMMANDS] };
      const unknown: string[] = [];
      const revealed = masker.revealValue(args, (name) => unknown.push(name));
      if (unknown.length === 0) return { args: revealed, notes: [] };
      throw new OpsError("INVALID_ARGUMENT", `unknown placeholder ${[...new Set(unknown)].join(", ")}`, UNKNOWN_HINT);
    },
  };
}
