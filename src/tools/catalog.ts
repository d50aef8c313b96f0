/** Catalogue of all tools, in the order of `tools/list`: what agents use first comes first. @module */
import type { Tool } from "../call/tool.ts";
import { codeRename } from "./code/rename.ts";
import { codeRewrite } from "./code/rewrite.ts";
import { codeSymbol } from "./code/symbol.ts";
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
import { health } from "./compat/mvp/health.ts";
import { listDir } from "./compat/mvp/list_dir.ts";
import { readFile } from "./compat/mvp/read_file.ts";
import { stat } from "./compat/mvp/stat.ts";
import { mcpRunOnboarding } from "./onboarding/run_onboarding.ts";
import { procKill } from "./proc/kill.ts";
import { procList } from "./proc/list.ts";
import { procRead } from "./proc/read.ts";
import { procSend } from "./proc/send.ts";
import { procStart } from "./proc/start.ts";
import { procStop } from "./proc/stop.ts";
import { procTree } from "./proc/tree.ts";
import { ragBootload } from "./rag/bootload.ts";
import { ragQuery } from "./rag/query.ts";
import { ragSearch } from "./rag/search.ts";
import { runCmd } from "./run/run_cmd.ts";
import { searchContent } from "./search/content.ts";
import { searchFiles } from "./search/files.ts";
import { getMetrics } from "./stats/get_metrics.ts";
import { mcpRecentCalls } from "./stats/recent_calls.ts";
import { mcpUsageStats } from "./stats/usage_stats.ts";
import { sysInfo } from "./sys/info.ts";
import { sysLogs } from "./sys/logs.ts";
import { sysServices } from "./sys/services.ts";
import { sysSnapshot } from "./sys/snapshot.ts";
import { repoRead } from "./te/repo_read.ts";
import { repoWritePatch } from "./te/repo_write_patch.ts";
import { runPytest } from "./te/pytest.ts";
import { teRun } from "./te/run.ts";
import { script } from "./script/script.ts";
import { fsChanges } from "./undo/changes.ts";
import { fsUndo } from "./undo/undo.ts";
import { execCli } from "./compat/ufo/exec_cli.ts";
import { ufoSysInfo } from "./compat/ufo/sys_info.ts";

/** Adding a tool is one file and one line here. */
export const tools: readonly Tool[] = [
  fsRead,
  fsList,
  ragSearch,
  searchContent,
  searchFiles,
  fsPatchBlock,
  fsApplyDiff,
  fsWrite,
  runCmd,
  handleRead,
  fsStat,
  fsMove,
  fsDelete,
  fsMkdirs,
  fsUndo,
  fsChanges,
  procStart,
  procSend,
  procRead,
  procStop,
  procList,
  procTree,
  procKill,
  ragBootload,
  codeSymbol,
  codeRename,
  codeRewrite,
  sysSnapshot,
  sysInfo,
  sysServices,
  sysLogs,
  mcpUsageStats,
  mcpRecentCalls,
  mcpRunOnboarding,
  health,
  readFile,
  listDir,
  stat,
  getMetrics,
  teRun,
  repoRead,
  repoWritePatch,
  script,
  runPytest,
  ragQuery,
  execCli,
  ufoSysInfo,
];
