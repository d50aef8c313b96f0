/** Adapters for the smaller peers: file servers without programs, and command servers without file tools. @module */
import type { Contestant } from "./hands.ts";

/** The reference server for files. @param main its main module */
export function filesystemServer(main: string, version: string): Contestant {
  return {
    key: "filesystem",
    title: "server-filesystem",
    version,
    command: ({ root, env }) => Promise.resolve({ program: "node", args: [main, root], env, cwd: root }),
    read: (path, lines) => ({ name: "read_text_file", args: { path, ...lines === undefined ? {} : { head: lines } } }),
    list: (path) => ({ name: "list_directory", args: { path } }),
    write: (path, content) => ({ name: "write_file", args: { path, content } }),
    edit: (path, oldText, newText) => ({ name: "edit_file", args: { path, edits: [{ oldText, newText }] } }),
    move: (source, destination) => ({ name: "move_file", args: { source, destination } }),
  };
}

/** One tool that gives a command line to a shell. Files are read through programs. @param main its main module */
export function commandServer(main: string, version: string): Contestant {
  const run = (command: string) => ({ name: "run_command", args: { command } });
  return {
    key: "commands",
    title: "mcp-server-commands",
    version,
    command: ({ root, env }) => Promise.resolve({ program: "node", args: [main], env, cwd: root }),
    run,
    processes: () => run("ps aux"),
    killProcess: (pid) => run(`kill -9 ${pid}`),
    output: async (server, command) => (await server.call("run_command", { command })).text,
  };
}
