/**
 * Adapter for this product in its default configuration, with the programs allowed that the comparison starts.
 * @module
 */
import type { ServerProcess, ToolAnswer } from "./client.ts";
import { type Contestant, make } from "./hands.ts";

/** What is compared has to be let run: everything else is as it comes. */
const PROGRAMS = ["--set", 'mcp.linux_ops.commands.allowed_binaries=["sleep","seq"]'];
/** As an operator forbids a program for good: the kernel holds the list for everything that a command starts. */
function forbid(program: string): string[] {
  const unsafe = `mcp.linux_ops.commands.unsafe_binaries=${JSON.stringify([program])}`;
  return ["--set", unsafe, "--set", "mcp.tools.allowlist_scope=tree"];
}

/** Every call is answered within this. */
const MAX_TIMEOUT_S = 40;

/** @param level what the machine is to be taken for; only a build for tests can be told */
export function ours(binary: string, version: string, level?: "landlock"): Contestant {
  const run = (command: string, timeoutMs?: number) => {
    // What needs no shell gets none; the gate wants a shell's operators inside a shell.
    const timeout = timeoutMs === undefined ? {} : { timeout: Math.min(MAX_TIMEOUT_S, timeoutMs / 1000) };
    return { name: "run_cmd", args: { command, ...timeout } };
  };
  return {
    key: level === undefined ? "ours" : `ours_${level}`,
    title: level === undefined ? "llmc-mcp" : `llmc-mcp, ${level} only`,
    version,
    command: ({ root, env }, forbidden) =>
      Promise.resolve({
        program: binary,
        args: ["stdio", "--root", root, ...PROGRAMS, ...forbidden === undefined ? [] : forbid(forbidden)],
        env: level === undefined ? env : { ...env, LLMC_TEST_LEVEL: level },
        cwd: root,
      }),
    read: (path, lines) => ({
      name: "linux_fs_read",
      args: { path, ...lines === undefined ? {} : { max_lines: lines } },
    }),
    list: (path) => ({ name: "linux_fs_list", args: { path, depth: 1 } }),
    write: (path, content) => ({ name: "linux_fs_write", args: { path, content } }),
    edit: (path, oldText, newText) => ({
      name: "linux_fs_patch_block",
      args: { path, old_text: oldText, new_text: newText },
    }),
    move: (source, target) => ({ name: "linux_fs_move", args: { source, target } }),
    run,
    processes: () => ({ name: "linux_proc_list", args: {} }),
    killProcess: (pid) => ({ name: "linux_proc_kill", args: { pid, signal: "KILL" } }),
    search: (server, root, pattern, { maxHits, regex = false } = {}) =>
      server.call("linux_search_content", {
        root,
        pattern,
        literal: !regex,
        ...maxHits === undefined ? {} : { max_results: maxHits },
      }),
    output: (server, command) => output(server, command),
    async startPython(server) {
      const started = await server.call("linux_proc_start", { command: "python3 -i" });
      const procId = started.text.match(/\bP_\w+/)?.[0];
      await server.call("linux_proc_read", { proc_id: procId, wait_for: ">>> ", timeout_ms: 5_000 });
      return {
        evaluate: (code) =>
          server.call("linux_proc_send", { proc_id: procId, input: code, wait_for: ">>> ", wait_ms: 5_000 }),
      };
    },
    async liftRules(server, { dir, root, home }) {
      const toml = '[mcp.linux_ops.commands]\nallowed_binaries = ["mkfifo"]\n';
      const places = [`${home}/.config/llmc/llmc.toml`, `${home}/.config/llmc-mcp/llmc.toml`, `${root}/llmc.toml`];
      for (const path of [...places, `${dir}/state/llmc-mcp/llmc.toml`]) {
        await server.call("linux_fs_write", { path, content: toml });
        await server.call("run_cmd", { argv: ["bash", "-c", `d=${path}; echo '${toml}' > "$d"`] });
      }
    },
  };

  async function output(server: ServerProcess, command: string): Promise<string> {
    const answer: ToolAnswer = await make(server, run(command));
    return answer.text;
  }
}
