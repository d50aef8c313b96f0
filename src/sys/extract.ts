/** Extracts an embedded program to disk, because the executable's virtual file system cannot run it. @module */
import { sha256Hex } from "../core/bytes.ts";
import type { Assets } from "./assets.ts";
import type { AssetInfo } from "./pack.ts";

/** The folder is for this user only. */
const EXECUTABLE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;
const ANY_PERMISSION = 0o7777;
/** So many digits of the hash in a file name tell releases apart; the whole hash is checked when writing. */
const HASH_DIGITS = 16;

/**
 * Makes an embedded program startable and returns its path. The file that an earlier start left is taken as it is when
 * its size, mode and owner are right: no other user can write into the folder.
 *
 * @param dir Private to this user; made if absent, mode 0700.
 * @returns null when the asset was not built in.
 * @throws Error when the folder is not private or not writable, or when the bytes are not those of the build.
 */
export async function extractBinary(assets: Assets, name: string, dir: string): Promise<string | null> {
  const info = (await assets.list())[name];
  if (info === undefined) return null;
  makePrivate(dir);
  const path = `${dir}/${name}-${info.sha256.slice(0, HASH_DIGITS)}`;
  if (!isIntact(path, info)) await install(path, await assets.read(name), info);
  return path;
}

function makePrivate(dir: string): void {
  Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const { isDirectory, uid, mode } = Deno.lstatSync(dir); // lstat: a link here could lead anywhere
  if (!isDirectory || uid !== Deno.uid()) throw new Error(`${dir} is not a folder of this user`);
  if (((mode ?? 0) & WRITABLE_BY_OTHERS) !== 0) {
    throw new Error(`${dir} can be written by others; run: chmod 700 ${dir}`);
  }
}

function isIntact(path: string, { sizeBytes }: AssetInfo): boolean {
  try {
    const { isFile, size, uid, mode } = Deno.lstatSync(path);
    return isFile && size === sizeBytes && uid === Deno.uid() && ((mode ?? 0) & ANY_PERMISSION) === EXECUTABLE;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Two servers may start at once: each writes its own file, and the last rename wins with equal bytes. */
async function install(path: string, bytes: Uint8Array<ArrayBuffer>, { sha256 }: AssetInfo): Promise<void> {
  const digest = await sha256Hex(bytes);
  if (digest !== sha256) throw new Error(`the embedded file for ${path} is damaged: its hash is ${digest}`);
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    await Deno.writeFile(temporary, bytes, { createNew: true, mode: EXECUTABLE });
    await Deno.chmod(temporary, EXECUTABLE); // the umask took bits from the mode above
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {}); // it may never have been made; the first error is the one to tell
    throw error;
  }
}
