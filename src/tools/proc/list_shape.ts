/** Defines the answer of `linux_proc_list`. @module */
import * as z from "zod";
import { once } from "../../core/once.ts";

/** Its schema. */
export const listShape = once(() =>
  z.object({
    processes: z.array(z.object({
      pid: z.int(),
      ppid: z.int(),
      user: z.string(),
      /** Over `cpu_window_seconds`; 100 is one core. */
      cpu_percent: z.number(),
      /** Since its start. */
      cpu_seconds: z.number(),
      mem_percent: z.number(),
      rss_bytes: z.int(),
      threads: z.int(),
      state: z.string(),
      started: z.string(),
      age_seconds: z.int(),
      name: z.string(),
      command: z.string(),
    })),
    /** Of the one process that was asked for: its working directory, and the regular files that it has open. */
    cwd: z.string().optional(),
    open_files: z.array(z.object({
      fd: z.int(),
      path: z.string(),
      size_bytes: z.int(),
      deleted: z.boolean(),
    })).optional(),
    open_files_total: z.int().optional(),
    total_processes: z.int(),
    truncated: z.boolean(),
    /** The whole list as text, one process a line, where it is truncated. */
    handle: z.string().nullable(),
    /** How long CPU use was measured. */
    cpu_window_seconds: z.number(),
    /** Of all that fit the filter. */
    total_cpu_percent: z.number(),
    total_rss_bytes: z.int(),
  })
);

/** What the tool answers. */
export type ProcessList = z.output<ReturnType<typeof listShape>>;
