/** The servers of the race tests, and how each performs the same operations. @module */
import type { ServerCommand, ServerProcess, ToolAnswer } from "../peers/client.ts";
import { type Call, type Contestant, make } from "../peers/hands.ts";
import type { Place } from "../peers/place.ts";
import type { Trap } from "./trap.ts";

/** Something to ask for, under a path that is being exchanged. */
export interface Operation {
  readonly name: string;
  /** The call number so-and-so of a batch. */
  attempt(server: ServerProcess, trap: Trap, index: number): Promise<ToolAnswer>;
}

/** A server under attack. */
export interface Racer {
  readonly title: string;
  readonly operations: readonly Operation[];
  command(place: Place): Promise<ServerCommand>;
}

const NO_LIMITS = ["mcp.limits.rate_limit_rps=100000", "mcp.limits.rate_limit_burst=100000"];

/** Ours. @param level A level to pretend, for the build that can. */
export function ourRacer(program: string, level?: string): Racer {
  return {
    title: level === undefined ? "llmc-mcp" : `llmc-mcp at ${level}`,
    operations: Object.entries(OUR_CALLS).map(([name, call]) => ({
      name,
      attempt: (server, trap, index) => server.call(...call(trap, index)),
    })),
    command: ({ root, env }) =>
      Promise.resolve({
        program,
        args: ["stdio", "--root", root, ...NO_LIMITS.flatMap((limit) => ["--set", limit])],
        env: { ...env, ...level === undefined ? {} : { LLMC_TEST_LEVEL: level } },
        cwd: root,
      }),
  };
}

/** A peer, with those of our operations that it has. */
export function peerRacer(peer: Contestant): Racer {
  const { read, list, write, edit, move, search } = peer;
  const operations: Operation[] = [];
  const add = (name: string, call: (trap: Trap, index: number) => Call) =>
    operations.push({ name, attempt: (server, trap, index) => make(server, call(trap, index)) });
  if (read) add("read", ({ door }, index) => read(`${door}/f${index}.md`));
  if (list) add("list", ({ door }) => list(door));
  if (search) {
    operations.push({ name: "search content", attempt: (server, { door }) => search(server, door, "value") });
  }
  if (write) {
    add("write, new file", ({ door }, index) => write(`${door}/n${index}.md`, "planted\n"));
    add("write, overwrite", ({ door }, index) => write(`${door}/f${index}.md`, "planted\n"));
  }
  if (edit) add("patch", ({ door }, index) => edit(`${door}/f${index}.md`, "value = 1", "value = 2"));
  if (move) {
    add("move out", ({ door, root }, index) => move(`${door}/f${index}.md`, `${root}/taken/f${index}.md`));
    add("move in", ({ door, root }, index) => move(`${root}/given/g${index}.md`, `${door}/g${index}.md`));
  }
  return { title: `${peer.title} ${peer.version}`, operations, command: (place) => peer.command(place) };
}

type Arguments = Readonly<Record<string, unknown>>;
/** Paths are absolute; those of a diff begin at the root. */
const OUR_CALLS: Readonly<Record<string, (trap: Trap, index: number) => [tool: string, args: Arguments]>> = {
  "read": ({ door }, index) => ["linux_fs_read", { path: `${door}/f${index}.md` }],
  "stat": ({ door }, index) => ["linux_fs_stat", { path: `${door}/f${index}.md` }],
  "list": ({ door }) => ["linux_fs_list", { path: door }],
  "search content": ({ door }) => ["linux_search_content", { root: door, pattern: "value" }],
  "search files": ({ door }) => ["linux_search_files", { root: door, pattern: "f" }],
  "write, new file": ({ door }, index) => ["linux_fs_write", { path: `${door}/n${index}.md`, content: "planted\n" }],
  "write, overwrite": ({ door }, index) => ["linux_fs_write", { path: `${door}/f${index}.md`, content: "planted\n" }],
  "write, append": ({ door }, index) => [
    "linux_fs_write",
    { path: `${door}/f${index}.md`, content: "planted\n", mode: "append" },
  ],
  "patch": ({ door }, index) => [
    "linux_fs_patch_block",
    { path: `${door}/f${index}.md`, old_text: "value = 1", new_text: "value = 2" },
  ],
  "apply_diff": (_, index) => ["linux_fs_apply_diff", {
    diff_text: `--- a/door/f${index}.md\n+++ b/door/f${index}.md\n@@ -1 +1 @@\n-value = 1\n+value = 2\n`,
  }],
  "apply_diff, mode": (_, index) => ["linux_fs_apply_diff", {
    diff_text: `diff --git a/door/f${index}.md b/door/f${index}.md\nold mode 100644\nnew mode 100755\n`,
  }],
  "apply_diff, delete": (_, index) => ["linux_fs_apply_diff", {
    diff_text: `--- a/door/f${index}.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-value = 1\n-inside\n`,
  }],
  "delete": ({ door }, index) => ["linux_fs_delete", { path: `${door}/f${index}.md` }],
  "move out": ({ door, root }, index) => [
    "linux_fs_move",
    { source: `${door}/f${index}.md`, target: `${root}/taken/f${index}.md` },
  ],
  "move in": ({ door, root }, index) => [
    "linux_fs_move",
    { source: `${root}/given/g${index}.md`, target: `${door}/g${index}.md` },
  ],
  "make directories": ({ door }, index) => ["linux_fs_mkdirs", { path: `${door}/m${index}` }],
  "run cat": ({ door }, index) => ["run_cmd", { argv: ["cat", `${door}/f${index}.md`] }],
  "run in the folder": ({ door }) => ["run_cmd", { argv: ["ls", "-l"], cwd: door }],
  "search the index": () => ["rag_search", { q: "value canary inside", k: 50, budget_tokens: 20_000 }],
};
