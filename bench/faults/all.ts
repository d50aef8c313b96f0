/** All rows of the table of injected faults. @module */
import { EDITING } from "./editing.ts";
import { LIFE } from "./life.ts";
import type { Probe } from "./probe.ts";
import { REACH } from "./reach.ts";
import { READING } from "./reading.ts";
import { RUNNING } from "./running.ts";

export const PROBES: readonly Probe[] = [...REACH, ...READING, ...EDITING, ...RUNNING, ...LIFE];
