/** Answers for a process that does not exist, or belongs to another owner. @module */
import type { ReadOutcome, StopOutcome } from "./processes.ts";

/** Of reading it. */
export const READ_OF_ABSENT: ReadOutcome = {
  output: "",
  state: "no_such_process",
  offset: 0,
  nextOffset: 0,
  lostBytes: 0,
  more: false,
  exitCode: null,
  signal: null,
  matched: null,
  matchedLine: null,
  listening: null,
  digest: null,
};

/** Of stopping it. */
export const STOP_OF_ABSENT: StopOutcome = {
  state: "no_such_process",
  command: "",
  ports: [],
  exitCode: null,
  signal: null,
};
