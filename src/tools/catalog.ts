/** Every tool, in the order `tools/list` shows them: what agents reach for first comes first. @module */
import type { Tool } from "../te/tool.ts";
import { fsApplyDiff } from "./fs/apply_diff.ts";
import { fsDelete } from "./fs/delete.ts";
import { fsList } from "./fs/list.ts";
import { fsMkdirs } from "./fs/mkdirs.ts";
import { fsMove } from "./fs/move.ts";
import { fsPatchBlock } from "./fs/patch_block.ts";
import { fsRead } from "./fs/read.ts";
import { fsStat } from "./fs/stat.ts";
import { fsWrite } from "./fs/write.ts";
import { handleRead } from "./handle/read.ts";
import { listDir } from "./mvp/list_dir.ts";
import { readFile } from "./mvp/read_file.ts";
import { stat } from "./mvp/stat.ts";
import { searchContent } from "./search/content.ts";
import { searchFiles } from "./search/files.ts";
import { getMetrics } from "./stats/get_metrics.ts";
import { mcpRecentCalls } from "./stats/recent_calls.ts";
import { mcpUsageStats } from "./stats/usage_stats.ts";

/** Adding a tool is one file and one line here. */
export const tools: readonly Tool[] = [
  fsRead,
  fsList,
  fsStat,
  fsPatchBlock,
  fsWrite,
  fsApplyDiff,
  fsMove,
  fsDelete,
  fsMkdirs,
  searchContent,
  searchFiles,
  handleRead,
  mcpUsageStats,
  mcpRecentCalls,
  readFile,
  listDir,
  stat,
  getMetrics,
];
