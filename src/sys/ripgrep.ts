/** Finding files and text, with ripgrep where there is one. @module */
import type { ContentFound, ContentRequest, FilesFound, FilesRequest } from "./search.ts";

/** Finding files and text below a directory whose path the caller has checked. */
export interface Search {
  /**
   * Finds files by name.
   *
   * @throws OpsError INVALID_ARGUMENT when a glob cannot be read.
   */
  files(request: FilesRequest, signal: AbortSignal): Promise<FilesFound>;
  /**
   * Finds lines by content.
   *
   * @throws OpsError INVALID_ARGUMENT when the pattern or a glob cannot be read.
   */
  content(request: ContentRequest, signal: AbortSignal): Promise<ContentFound>;
}
