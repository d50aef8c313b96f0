/** Adapter for Desktop Commander: files, search, processes, terminals. @module */
import type { ServerProcess, ToolAnswer } from "./client.ts";
import type { Contestant, SearchOptions } from "./hands.ts";

/** What polling for the rest of a search may take. */
const MAX_PAGES = 400;
const PAGE_ROWS = 100;

/** With telemetry off and the root as its only folder. @param main its main module */
export function desktopCommander(main: string, version: string): Contestant {
  return {
    key: "desktop_commander",
    title: "Desktop Commander",
    version,
    async command({ root, home, env }) {
      const folder = `${home}/.claude-server-commander`;
      await Deno.mkdir(folder, { recursive: true });
      const config = {
        telemetryEnabled: false,
        allowedDirectories: [root],
        defaultShell: "/bin/bash",
        blockedCommands: ["mkfs", "dd", "sudo", "su", "shutdown", "reboot", "mkfifo"],
      };
      await Deno.writeTextFile(`${folder}/config.json`, JSON.stringify(config));
      return { program: "node", args: [main], env: { ...env, DESKTOP_COMMANDER_DISABLE_TELEMETRY: "1" }, cwd: root };
    },
    read: (path, lines) => ({ name: "read_file", args: { path, ...lines === undefined ? {} : { length: lines } } }),
    list: (path) => ({ name: "list_directory", args: { path, depth: 1 } }),
    write: (path, content) => ({ name: "write_file", args: { path, content, mode: "rewrite" } }),
    edit: (path, oldText, newText) => ({
      name: "edit_block",
      args: { file_path: path, old_string: oldText, new_string: newText },
    }),
    move: (source, destination) => ({ name: "move_file", args: { source, destination } }),
    run: (command, timeoutMs = 5_000) => ({ name: "start_process", args: { command, timeout_ms: timeoutMs } }),
    processes: () => ({ name: "list_processes", args: {} }),
    killProcess: (pid) => ({ name: "kill_process", args: { pid } }),
    search,
    async output(server, command) {
      const answer = await server.call("start_process", { command, timeout_ms: 5_000 });
      const pid = pidIn(answer);
      if (pid === undefined) return answer.text;
      const rest = await server.call("read_process_output", { pid, timeout_ms: 300, offset: 0 });
      return `${answer.text}\n${rest.text}`;
    },
    async endCommand(server, answer) {
      const pid = pidIn(answer);
      if (pid !== undefined) await server.call("force_terminate", { pid });
    },
    async startPython(server) {
      const pid = pidIn(await server.call("start_process", { command: "python3 -i", timeout_ms: 8_000 }));
      return { evaluate: (code) => server.call("interact_with_process", { pid, input: code, timeout_ms: 5_000 }) };
    },
    async liftRules(server) {
      await server.call("set_config_value", { key: "blockedCommands", value: [] });
    },
  };
}

function pidIn({ text }: ToolAnswer): number | undefined {
  const pid = text.match(/PID (\d+)/)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/** Starts a search and asks for page after page until it is over; a single full page when hits are limited. */
async function search(
  server: ServerProcess,
  path: string,
  pattern: string,
  { maxHits, regex = false }: SearchOptions = {},
): Promise<ToolAnswer> {
  const limit = maxHits === undefined ? {} : { maxResults: maxHits, contextLines: 0 };
  const args = { path, pattern, searchType: "content", literalSearch: !regex, ...limit };
  const first = await server.call("start_search", args);
  const sessionId = first.text.match(/session: (\S+)/i)?.[1];
  if (sessionId === undefined || /Status: COMPLETED/.test(first.text) && maxHits !== undefined) return first;
  let last = first;
  for (let page = 0; page < MAX_PAGES; page++) {
    last = await server.call("get_more_search_results", { sessionId, offset: 0, length: PAGE_ROWS });
    if (!/IN PROGRESS|RUNNING/.test(last.text)) break;
  }
  return last;
}
