/** Built-in `agents.core.min.md`: how an agent works with these tools. @module */
import type { Config } from "../../../config/resolve.ts";

/** Its text; names are those that the client was given. */
export function agentsCore({ settings }: Config): string {
  const tool = settings.tools.name_style === "dotted"
    ? (name: string) => `linux.${name}`
    : (name: string) => `linux_${name}`;
  return `# Working with this server

1. Look before you read: ${tool("fs_list")} (depth 1 or 2), ${tool("search_files")} for names, ${
    tool("search_content")
  } for text.
2. Read ranges, not files: offset_lines and max_lines of ${tool("fs_read")}; a negative offset_lines reads the end.
3. A last line in [brackets] says what was left out. Go on with the handle or offset that it names; do not repeat the call.
4. Change the smallest part: ${tool("fs_patch_block")} for one place, ${tool("fs_apply_diff")} for several, ${
    tool("fs_write")
  } for new files.
   An old text that does not match is answered with the nearest place: correct it, do not rewrite the file.
5. run_cmd is for commands that end. What goes on (servers, REPLs, watchers) belongs to ${
    tool("proc_start")
  }; wait for its
   output with wait_for instead of asking again and again.
6. An error reads CODE: what is wrong. what to change. Do what it says once; when it says the operator must change a
   setting, tell the person.
7. Run independent calls at the same time. Changes to one file are queued by the server and all survive.
8. Test what you changed before you say that it works.
`;
}
