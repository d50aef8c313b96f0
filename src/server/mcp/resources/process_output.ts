/** `llmc://process/ID`: recent output of a managed process, without moving its read position. @module */
import { OpsError } from "../../../core/error.ts";
import type { ManagedProcess, Processes } from "../../../exec/processes.ts";
import type { Catalog } from "../../../call/catalog.ts";
import type { ResourceKind } from "./resource_kind.ts";

const TAIL_BYTES = 24 * 1024;

/** The processes that the caller started. */
export function processOutput(processes: Processes, catalog: Catalog): ResourceKind {
  const find = (id: string, owner: string) => processes.list(owner).find(({ procId }) => procId === id);
  return {
    kind: "process",
    isOffered: () => catalog.isEnabled("linux_proc_read"),
    list: () => Promise.resolve([]),
    template: {
      uriTemplate: "llmc://process/{id}",
      name: "process",
      title: "Process output",
      description: "The latest output of a process that linux_proc_start started (P_…).",
      mimeType: "text/plain",
    },
    read(id, { owner }) {
      const found = find(id, owner), tail = processes.tail(id, owner, TAIL_BYTES);
      if (!found || tail === undefined) {
        throw new OpsError("PROCESS_NOT_FOUND", `there is no process '${id.slice(0, 40)}'`);
      }
      return Promise.resolve({
        mimeType: "text/plain",
        text: `${tail}${tail.endsWith("\n") ? "" : "\n"}${stateLine(found)}\n`,
      });
    },
    stamp(id, { owner }) {
      const found = find(id, owner);
      return Promise.resolve(found ? `${found.outputBytes} ${found.state}` : null);
    },
    complete: (prefix, { owner }) =>
      Promise.resolve(processes.list(owner).map(({ procId }) => procId).filter((id) => id.startsWith(prefix))),
  };
}

function stateLine({ state, exitCode, command, outputBytes }: ManagedProcess): string {
  return `[${command} · ${state === "running" ? "running" : `exit code ${exitCode}`} · ${outputBytes} bytes of output]`;
}
