/** Input of the package makers. @module */
import type { Arch } from "../vendor.ts";

/** An executable that was built for a release. */
export interface Built {
  readonly arch: Arch;
  readonly binary: string;
  /** Scratch space, removed at the end. */
  readonly workDir: string;
  /** Where finished packages go. */
  readonly outDir: string;
  /** Seconds since 1970: the time that everything carries. */
  readonly time: number;
}
