/** Describes what each sandbox level protects. @module */
import type { Level } from "../../../sandbox/protocol.ts";

/** Whether something holds at a level: by the kernel, not at all, or in a way that needs words. */
export type Hold = "yes" | "no" | { readonly partly: string };

/** One thing that should hold. */
export interface Protection {
  readonly what: string;
  /** Whether it is about what programs can do, which the configuration may leave alone. */
  readonly ofPrograms: boolean;
  readonly at: Readonly<Record<Level, Hold>>;
}

/** From the strongest. */
export const LEVELS: readonly { readonly level: Level; readonly needs: string }[] = [
  { level: "full", needs: "Landlock and bubblewrap" },
  { level: "landlock", needs: "Landlock alone" },
  { level: "bwrap", needs: "bubblewrap alone" },
  { level: "none", needs: "neither" },
];

const REFUSED: Hold = { partly: "only a few readers run" };
const CHECKED: Hold = { partly: "paths are checked; a race can be lost" };
const SWEPT: Hold = { partly: "orphans are found by a marker and ended" };

/** The lines of the table; docs/security.md says the same in prose. */
export const PROTECTIONS: readonly Protection[] = [
  {
    what: "File tools cannot leave the roots, not even through links or in a race",
    ofPrograms: false,
    at: {
      full: "yes",
      landlock: "yes",
      bwrap: CHECKED,
      none: CHECKED,
    },
  },
  {
    what: "Programs cannot leave the roots",
    ofPrograms: true,
    at: { full: "yes", landlock: "yes", bwrap: "yes", none: REFUSED },
  },
  {
    what: "A data directory inside a root is empty to programs",
    ofPrograms: true,
    at: { full: "yes", landlock: "no", bwrap: "yes", none: "no" },
  },
  {
    what: "Programs see no process but their own",
    ofPrograms: true,
    at: { full: "yes", landlock: { partly: "they see that others exist" }, bwrap: "yes", none: "no" },
  },
  {
    what: "Sockets of the machine (Docker, D-Bus, ssh-agent, X) are out of reach",
    ofPrograms: true,
    at: { full: "yes", landlock: "yes", bwrap: "yes", none: "no" },
  },
  {
    what: "With network = off, nothing gets out",
    ofPrograms: true,
    at: { full: "yes", landlock: "yes", bwrap: "yes", none: "no" },
  },
  {
    what: "Times and modes of files outside the roots stay as they are",
    ofPrograms: true,
    at: { full: "yes", landlock: "no", bwrap: "yes", none: "no" },
  },
  {
    what: "Nothing that a program started outlives it",
    ofPrograms: true,
    at: {
      full: "yes",
      landlock: SWEPT,
      bwrap: "yes",
      none: SWEPT,
    },
  },
];

/** What holds with a setting of `mcp.tools.confinement`. */
export function holdAt(
  { ofPrograms, at }: Protection,
  level: Level,
  confinement: "required" | "best_effort" | "off",
): Hold {
  if (!ofPrograms || confinement === "required") return at[level];
  return confinement === "off" || level === "none" ? "no" : at[level];
}
