/** `llmc://file/PATH`: files inside the roots, with the same code and bounds as the tool. @module */
import type { Config } from "../../../config/resolve.ts";
import { OpsError } from "../../../core/error.ts";
import { entryInfo } from "../../../sys/files/entry_info.ts";
import { readImage } from "../../../sys/files/read_image.ts";
import type { Catalog } from "../../../call/catalog.ts";
import type { Envelope } from "../../../call/pipeline.ts";
import type { PathGuard } from "../../../roots/path_guard.ts";
import { completePath } from "../complete_path.ts";
import { mimeTypeOf } from "./mime_type.ts";
import type { ResourceKind } from "./resource_kind.ts";
import { textOrThrow } from "./text_or_throw.ts";

const TOOL = "linux_fs_read";
/** The most that the tool gives at once; its token bound cuts earlier. */
const MAX_LINES = 2_000;

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
      const answer = await envelope.call(TOOL, { path, max_lines: MAX_LINES }, caller);
      const text = textOrThrow(answer, "content");
      const image = await imageOf(answer.result, path, caller.paths ?? paths);
      return image ?? { mimeType: isBinary(answer.result) ? "text/plain" : mimeTypeOf(path), text };
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

function isBinary(result: unknown): boolean {
  return metaOf(result).encoding === "binary";
}

/** A client can show an image; a model gets the same description as from the tool when it is too large. */
async function imageOf(result: unknown, path: string, paths: PathGuard) {
  const { encoding, type } = metaOf(result);
  if (encoding !== "binary" || typeof type !== "string" || !type.startsWith("image/")) return null;
  const blob = await readImage(await paths.existing(path), path);
  return blob === null ? null : { mimeType: type, blob };
}

function metaOf(result: unknown): { encoding?: unknown; type?: unknown } {
  return typeof result === "object" && result !== null && "meta" in result ? Object(result.meta) : {};
}
