/** Formats the result of a run: its output, and one line for what the output does not say. @module */
import { restAt } from "../../core/bound.ts";

/** What the text is made of. */
export interface RunText {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number | null;
  readonly duration_ms: number;
  readonly timed_out: boolean;
  readonly truncated: boolean;
  readonly handle: string | null;
  readonly confinement: string;
  readonly notes?: readonly string[] | undefined;
  readonly proc_id?: string | null | undefined;
}

/** Nothing but the output when all went well. */
export function renderRun(run: RunText): string {
  const stderr = run.stderr === "" ? "" : `[stderr]\n${run.stderr}`;
  const body = [run.stdout, stderr].filter((text) => text !== "").map((text) => text.replace(/\n$/, "")).join("\n");
  const notes = notesOf(run);
  if (body === "") return notes === "" ? "[no output]" : `[${notes} · no output]`;
  return notes === "" ? body : `${body}\n[${notes}]`;
}

function notesOf(
  { exit_code, duration_ms, timed_out, truncated, handle, confinement, notes = [], proc_id }: RunText,
): string {
  const seconds = `${Math.round(duration_ms / 100) / 10} s`;
  return [
    timed_out ? `timed out after ${seconds}, exit 124` : exit_code !== 0 && exit_code !== null && `exit ${exit_code}`,
    proc_id && `still running after ${seconds} · go on with linux_proc_read ${proc_id}`,
    handle && restAt(handle, 0).replace("rest", "all"),
    truncated && !handle && !proc_id && "the rest could not be kept",
    confinement === "none" && "not confined",
    ...notes,
  ].filter((note) => note).join(" · ");
}
