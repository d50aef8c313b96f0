/** Reads the subjects of the latest commits from the log of HEAD, without git. @module */
import type { IndexFiles } from "../sys/files/index_files.ts";

const MOST_BYTES = 32 * 1024;
const MADE =
  /^(?:commit|merge|cherry-pick|revert|rebase[^:]*\((?:pick|reword|continue)\)|pull[^:]*\((?:pick)\)|am)\b[^:]*: (.+)$/;
const MOST_SUBJECT_CHARS = 80;

/** Where the store of a work tree is. A linked work tree names it in a file. */
function gitFolder(files: IndexFiles, root: string): string | undefined {
  const path = `${root}/.git`;
  if (files.isDirectory(path)) return path;
  const linked = /^gitdir: (.+)$/m.exec(files.head(path, 4_096) ?? "")?.[1]?.trim();
  return linked === undefined ? undefined : linked.startsWith("/") ? linked : `${root}/${linked}`;
}

/** The latest commits, newest first; empty without git or after a fresh clone. @param root Real path. */
export function lastCommits(files: IndexFiles, root: string, most: number): string[] {
  const folder = gitFolder(files, root);
  const log = folder === undefined ? undefined : files.tail(`${folder}/logs/HEAD`, MOST_BYTES);
  const subjects: string[] = [];
  for (const line of (log ?? "").split("\n").reverse()) {
    const subject = MADE.exec(line.slice(line.indexOf("\t") + 1))?.[1];
    if (subject === undefined) continue;
    const short = subject.length > MOST_SUBJECT_CHARS ? `${subject.slice(0, MOST_SUBJECT_CHARS - 1)}…` : subject;
    if (!subjects.includes(short)) subjects.push(short); // an amended commit often keeps its subject
    if (subjects.length === most) break;
  }
  return subjects;
}
