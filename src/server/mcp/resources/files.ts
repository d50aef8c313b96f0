/** `llmc://file/PATH`: the bytes of files inside the roots, behind the same checks as the tool. @module */
import type { Config } from "../../../config/resolve.ts";
import { decodeExactly } from "../../../core/bytes.ts";
import { OpsError } from "../../../core/error.ts";
import { entryInfo } from "../../../sys/files/entry_info.ts";
import { readWhole } from "../../../sys/files/read_whole.ts";
import type { Catalog } from "../../../call/catalog.ts";
import type { Envelope } from "../../../call/pipeline.ts";
import type { PathGuard } from "../../../roots/path_guard.ts";
import { completePath } from "../complete_path.ts";
import { mimeTypeOf } from "./mime_type.ts";
import type { ResourceKind } from "./resource_kind.ts";

const TOOL = "linux_fs_read";
/** Of a file: in base64 it still fits into one message that clients take. */
const MAX_BYTES = 4 * 1024 * 1024;
const HOW_TO_READ = "Read it in parts with linux_fs_read.";

/** What reading them needs. */
export interface FilesDeps {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly envelope: Envelope;
  readonly paths: PathGuard;
}

/** The files. */
export function files({ config, catalog, envelope, paths }: FilesDeps): ResourceKind {
  return {
    kind: "file",
    isOffered: () => config.roots.length > 0 && catalog.isEnabled(TOOL),
    list: () => Promise.resolve([]),
    template: {
      uriTemplate: "llmc://file/{path}",
      name: "file",
      title: "File",
      description: "A file inside the allowed folders; a relative path starts at the first of them.",
    },
    async read(path, caller) {
      // Through the tool, so that it is recorded and refused like any reading.
      const { error, result } = await envelope.call(TOOL, { path, max_lines: 1 }, caller);
      if (error) throw new OpsError(error.code, error.message, error.hint);
      const bytes = await readWhole(await (caller.paths ?? paths).existing(path), path, MAX_BYTES);
      if (bytes === null) {
        throw new OpsError("OUTPUT_TOO_LARGE", `${path} has more than ${MAX_BYTES} bytes`, HOW_TO_READ);
      }
      const text = decodeExactly(bytes);
      if (text !== null && !text.includes("\0")) return { mimeType: mimeTypeOf(path), text: text };
      const { type } = metaOf(result);
      return { mimeType: typeof type === "string" ? type : mimeTypeOf(path), blob: bytes.toBase64() };
    },
    async stamp(path, { paths: own = paths }) {
      try {
        const { mtimeMs, sizeBytes } = await entryInfo(await own.existing(path), path);
        return `${mtimeMs} ${sizeBytes}`;
      } catch (error) {
        if (error instanceof OpsError) return null;
        throw error;
      }
    },
    complete: (prefix, { paths: own = paths }) => completePath(prefix, own, config.protectedPaths),
  };
}

function metaOf(result: unknown): { type?: unknown } {
  return typeof result === "object" && result !== null && "meta" in result ? Object(result.meta) : {};
}
