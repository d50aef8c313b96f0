/** Names temporary files. @module */
import { joinPath, parentOf } from "../../core/path.ts";

/** A name in the same directory that cannot be guessed but can be recognised: `.llmc-<24 hex digits>.tmp`. */
export function temporaryBeside(path: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return joinPath(parentOf(path), `.llmc-${bytes.toHex()}.tmp`);
}

/** Whether an entry is one that {@link temporaryBeside} named. */
export function isTemporary(name: string): boolean {
  return /^\.llmc-[0-9a-f]{24}\.tmp$/.test(name);
}
