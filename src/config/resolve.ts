/** From settings to facts of this machine: real roots, programs, data directory, protected paths. @module */
import type { Settings } from "./schema.ts";

/** Which layer set a key. */
export type Origin = "toml" | "env" | "cli";

/** Everything that the rest of the program knows of its configuration: plain data that can be sent to a worker. */
export interface Config {
  /** Effective settings, nested as in the file. */
  readonly settings: Settings;
  /** Real paths of the folders that tools may touch; none lies inside another. */
  readonly roots: readonly string[];
  /** Whether roots mean nothing: `enforce_roots` is false or a root is `/`. Roots are then `["/"]`. */
  readonly unconfined: boolean;
  /** Real path of the data directory; it need not exist yet. */
  readonly dataDir: string;
  readonly homeDir: string;
  /** Real path of the file that was read; null when there was none. */
  readonly configFile: string | null;
  /** Allowed programs: name to real path. */
  readonly binaries: Readonly<Record<string, string>>;
  /** Allowed programs that this machine does not have. */
  readonly missingBinaries: readonly string[];
  /** Paths inside a root that no tool may touch: data directory, configuration, token, key, programs. */
  readonly protectedPaths: readonly string[];
  /** Layer that set each key that is not at its default. */
  readonly origins: Readonly<Record<string, Origin>>;
  /** What the operator should know of a configuration that is valid. */
  readonly warnings: readonly string[];
}
