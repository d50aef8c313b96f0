/** Checks that the server can use its folders. @module */
import { quoteWord } from "../../core/argv.ts";
import { humanSize } from "../../core/bytes.ts";
import { accessSync, constants, statfsSync } from "node:fs";
import type { Config } from "../../config/resolve.ts";
import { type Finding, finding } from "./finding.ts";
import { type Mount, mountOf } from "./mounts.ts";

/** Below this a database and results are soon refused. */
const LITTLE_BYTES = 100 * 1024 * 1024;
/** Where locks and shared memory of SQLite do not hold. */
const NETWORK_TYPES = /^(nfs\d?|cifs|smb\w*|9p|fuse\.(sshfs|rclone|s3fs|gcsfuse)|afs|ceph|glusterfs)$/;

/** The data directory, by trying it. */
export function checkDataDir({ dataDir }: Config): Finding[] {
  const name = "data directory";
  try {
    Deno.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    Deno.removeSync(Deno.makeTempFileSync({ dir: dataDir, prefix: ".doctor-" }));
  } catch (error) {
    return [finding(name, "bad", `${dataDir} cannot be written: ${reasonOf(error)}`, repair(dataDir))];
  }
  const problems = [openToOthers(dataDir), onNetwork(dataDir), almostFull(dataDir)].filter((each) =>
    each !== undefined
  );
  return problems.length > 0 ? problems : [finding(name, "ok", dataDir)];
}

/** Whether {@link checkDataDir} found it usable. */
export function isUsable(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state !== "bad");
}

function repair(dataDir: string): string {
  const existing = nearestExisting(dataDir);
  // A file is in the way: permissions would not help.
  if (!Deno.statSync(existing).isDirectory) return "set mcp.data_dir to another folder, or --set mcp.data_dir=DIR";
  return `sudo install -d -m 700 -o "$(id -un)" ${quoteWord(dataDir)}`;
}

function nearestExisting(path: string): string {
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    try {
      Deno.statSync(at);
      return at;
    } catch {
      // not there, or out of reach: the folder above it says why
    }
  }
  return "/";
}

function openToOthers(dataDir: string): Finding | undefined {
  const { mode, uid } = Deno.statSync(dataDir);
  if (uid !== null && uid !== Deno.uid()) {
    const detail = `${dataDir} belongs to another user, who can read the server's data`;
    return finding("data directory", "warn", detail, `sudo chown "$(id -un)" ${quoteWord(dataDir)}`);
  }
  if (((mode ?? 0) & 0o077) === 0) return undefined;
  return finding(
    "data directory",
    "warn",
    `${dataDir} is accessible to other users`,
    `chmod 700 ${quoteWord(dataDir)}`,
  );
}

function onNetwork(dataDir: string): Finding | undefined {
  const mount = mountOf(dataDir);
  if (!mount || !NETWORK_TYPES.test(mount.type)) return undefined;
  const detail = `${dataDir} is on a network file system (${mount.type}), which can corrupt the database`;
  return finding("data directory", "warn", detail, "set mcp.data_dir to a folder on a local disk");
}

function almostFull(dataDir: string): Finding | undefined {
  const { bavail, bsize } = statfsSync(dataDir);
  const freeBytes = bavail * bsize;
  if (freeBytes >= LITTLE_BYTES) return undefined;
  const detail = `only ${humanSize(freeBytes)} free on the disk of ${dataDir}`;
  return finding("data directory", "warn", detail, `df -h ${quoteWord(dataDir)}`);
}

/** Where the server's private files and the temporary ones of programs lie. */
export function checkTemporary(): Finding {
  const name = "temporary directory";
  const path = Deno.env.get("XDG_RUNTIME_DIR") || Deno.env.get("TMPDIR") || "/tmp";
  const mount = mountOf(path);
  if (!isNoexec(mount)) return finding(name, "ok", path);
  const detail = `${path} is mounted noexec: at level landlock, programs cannot run what they build in TMPDIR`;
  return finding(name, "warn", detail, "XDG_RUNTIME_DIR= TMPDIR=/var/tmp llmc-mcp …, or mount it with exec");
}

function isNoexec(mount: Mount | undefined): boolean {
  return mount?.options.includes("noexec") ?? false;
}

/** The roots, as this user meets them. */
export function checkRoots({ roots, unconfined, settings }: Config): Finding[] {
  const name = "roots";
  if (unconfined) {
    const help = "name the folders in mcp.tools.allowed_roots, with enforce_roots = true";
    return [finding(name, "warn", "the whole machine: tools are not confined to any folder", help)];
  }
  if (roots.length === 0) {
    const detail = "none: file tools refuse every path";
    return [finding(name, "warn", detail, "start with --root DIR, or set mcp.tools.allowed_roots in llmc.toml")];
  }
  return roots.map((root) => {
    if (!isAllowed(root, constants.R_OK | constants.X_OK)) {
      return finding(name, "bad", `${root} cannot be read by this user`, `ls -ld ${quoteWord(root)}`);
    }
    if (settings.read_only || isAllowed(root, constants.W_OK)) return finding(name, "ok", root);
    return finding(name, "warn", `${root} cannot be written by this user`, `ls -ld ${quoteWord(root)}`);
  });
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/ \(os error \d+\)(: .*)?$/, "") : String(error);
}
