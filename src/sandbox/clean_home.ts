/**
 * Keeps the programs' private home within its bounds. It is done by a child inside the sandbox, without any root: what
 * programs left there, links and folders that are exchanged meanwhile, can lead it nowhere else.
 * @module
 */
import type { Children } from "./children.ts";
import { HOME_CLEANER, type HostConfig, type MarkedRequest } from "./protocol.ts";

/** What runs it. */
export const CLEANER_SHELL = "/bin/sh";

/** $1: days without use after which a file goes; $2: KiB that may stay. The oldest go first. */
const SCRIPT = `
cd "$HOME" || exit
find . -xdev -name '*
*' -delete
find . -xdev ! -type d ! -path ./.gitconfig -atime +"$1" -mtime +"$1" -delete
used=$(du -skx . | cut -f1)
[ "$used" -le "$2" ] || find . -xdev ! -type d ! -path ./.gitconfig -printf '%A@ %k %p\\n' | sort -n |
  awk -v over=$((used - $2)) 'over <= 0 { exit } { over -= $2; sub(/^[^ ]+ [^ ]+ /, ""); print }' |
  tr '\\n' '\\0' | xargs -0 rm -f --
find . -xdev -mindepth 1 -type d -empty -mtime +0 -delete
`;

/** The request that the host makes of it: nothing but its mark is the server's. */
export function cleanerOf({ mark }: MarkedRequest, { config, homeDir }: HostConfig): MarkedRequest {
  const { home_max_age_days: days, home_max_bytes: bytes } = config.settings.tools;
  return {
    program: HOME_CLEANER,
    args: ["-c", SCRIPT, "sh", `${days}`, `${Math.floor(bytes / 1024)}`],
    cwd: homeDir,
    roots: [],
    env: { HOME: homeDir },
    stdin: "null",
    mark,
  };
}

const FIRST_MS = 2_000, AGAIN_MS = 600_000;

/** Cleans soon, and from time to time. @returns What ends it. */
export function keepHomeClean(children: Children): () => void {
  let timer = setTimeout(clean, FIRST_MS);
  async function clean(): Promise<void> {
    const request = { program: HOME_CLEANER, args: [], cwd: "/", env: {}, stdin: "null" } as const;
    // Where no program can be started there is nothing to clean either.
    await children.spawn(request).then((child) => child.exited).catch(() => {});
    timer = setTimeout(clean, AGAIN_MS);
  }
  return () => clearTimeout(timer);
}
