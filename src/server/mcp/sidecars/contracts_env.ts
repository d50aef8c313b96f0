/** Built-in `contracts.env.min.md`: this server's rules, from its configuration. @module */
import { networkOf } from "../../../config/network.ts";
import { NETWORK_WORDS } from "../../../core/network_list.ts";
import type { Config } from "../../../config/resolve.ts";

/** Its text. */
export function contractsEnv({ roots, unconfined, binaries, settings }: Config): string {
  const { tools, linux_ops: { process_limits: limits }, handles } = settings;
  const folders = unconfined
    ? "the whole machine; nothing is confined to a folder"
    : roots.length > 0
    ? roots.join(", ")
    : "none; the operator must name one";
  return `# Environment contract

- Folders: ${folders}. Everything else answers INVALID_PATH, also through links and from programs.
- Relative paths start at ${roots[0] ?? "the first folder"}${
    tools.client_roots === "narrow"
      ? ", or at the first root of a client inside the folders, which narrows its session"
      : ""
  }; ~ is the home directory.
- Access: ${settings.read_only ? "read-only; every tool that changes something is refused" : "read and write"}.
- Programs: ${
    tools.enable_run_cmd ? Object.keys(binaries).sort().join(" ") || "none" : "none"
  }. Every other one answers COMMAND_NOT_ALLOWED.
- Network of programs: ${NETWORK_WORDS[networkOf(tools)]}. Their environment is fixed, their home is empty and private.
- Time: a command ends at the timeout of its call (up to ${limits.max_timeout_sec} s). Without one it goes on after ${tools.exec_timeout} s as a process, and
  any one after 45 s unless the client listens to progress: the answer names its proc_id, and a later one tells its end.
- Size: one answer has at most ${tools.result_tokens} tokens; the rest is behind a handle, kept ${handles.ttl_hours} hours.
- Processes: ${limits.max_procs_per_session} of a session at a time; they end with the session.
- Files: a write is whole or not at all; byte order mark and line ends stay; binary files are described, not shown.
- Errors that a second try does not cure: INVALID_PATH, COMMAND_NOT_ALLOWED, FEATURE_DISABLED, APPROVAL_DECLINED.
  Read again, then try once more: SHA_MISMATCH, PATCH_COUNT_MISMATCH, DIFF_REJECTED, HANDLE_NOT_FOUND. Wait first: RATE_LIMITED.
`;
}
