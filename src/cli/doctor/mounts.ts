/** Finds the file system that a path is on. @module */
import { isInside } from "../../core/path.ts";
import { unescapeOctal } from "../../sysinfo/proc_text.ts";

/** One mounted file system. */
export interface Mount {
  readonly path: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** The mount that holds a path, which need not exist; undefined when the table cannot be read. */
export function mountOf(path: string): Mount | undefined {
  const mounts = readMounts().filter((mount) => isInside(path, mount.path));
  // Of several on the same folder the last one covers the others.
  return mounts.reduce<Mount | undefined>(
    (best, mount) => best && best.path.length > mount.path.length ? best : mount,
    undefined,
  );
}

function readMounts(): Mount[] {
  let text: string;
  try {
    text = Deno.readTextFileSync("/proc/self/mounts");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    const [, path, type, options = ""] = line.split(" ");
    return path && type ? [{ path: unescapeOctal(path), type, options: options.split(",") }] : [];
  });
}
