/** Carries out the operator's actions on the page: end a process, allow or deny a call. @module */
import * as z from "zod";
import type { Logger } from "../../obs/log.ts";
import type { Approvals } from "../../call/approvals.ts";
import type { Processes } from "../../exec/processes.ts";

/** What acting needs. */
export interface ActsDeps {
  readonly approvals: Approvals;
  readonly processes: Processes;
  readonly log: Logger;
}

/** What a button says. */
export const actRequest = z.strictObject({
  act: z.enum(["allow", "deny", "stop"]),
  /** Of the question or the process. */
  id: z.string(),
  /** With `allow`: the code of the question, typed by the person. */
  code: z.string().optional(),
});

/** Does it; returns what was done, in words for the person. */
export async function act(deps: ActsDeps, { act, id, code = "" }: z.output<typeof actRequest>): Promise<string> {
  if (act === "stop") return await stop(deps, id);
  const { approvals, log } = deps;
  const tool = approvals.pending().find((each) => each.id === id)?.tool;
  const outcome = act === "allow" ? approvals.allow(id, code) : approvals.deny(id) ? "denied" : "closed";
  log.info("the operator answered on the page", { answer: outcome, tool });
  return ANSWERED[outcome];
}

const ANSWERED = {
  allowed: "Allowed: the call continues.",
  denied: "Denied: the model is told so.",
  "wrong code": "That is not the code of this call. Nothing was allowed.",
  closed: "That question is closed already.",
} as const;

async function stop({ processes, log }: ActsDeps, procId: string): Promise<string> {
  const process = processes.list("*").find((each) => each.procId === procId);
  if (process?.state !== "running") return "That process had ended before.";
  log.info("the operator stops a process on the page", { proc_id: procId, pid: process.pid });
  await processes.stop(procId, process.owner, "TERM");
  return "The process has ended.";
}
