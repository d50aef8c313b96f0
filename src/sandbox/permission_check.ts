/** Compares the server worker's actual Deno permissions with the intended ones. @module */
import { isInside } from "../core/path.ts";

/** One attempt of the self-test. `broken`: a control failed, so that the other results prove nothing. */
export interface Check {
  readonly outcome: "held" | "leaked" | "broken" | "skipped";
  readonly name: string;
  readonly detail: string;
}

/** Everything that the worker was given; of the other kinds it has nothing. */
export interface Granted {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly run: readonly string[];
  readonly net: readonly string[];
}

/** Asked besides what was granted. A kind without anything after it stands for all of it. */
const PROBES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  read: [undefined, "/", "/etc/passwd", "/proc/self/environ", "/dev/mem", "/tmp", "/home", "/root"],
  write: [undefined, "/", "/etc/passwd", "/proc/self/mem", "/dev/mem", "/tmp", "/home", "/root"],
  run: [undefined, "/bin/sh", "/usr/bin/sh", "sh", "/usr/bin/setsid", "/usr/bin/bwrap", "env"],
  net: [undefined, "127.0.0.1", "0.0.0.0:80", "[::1]", "localhost:22", "169.254.169.254:80", "example.com:443"],
  env: [undefined, "PATH", "HOME", "LLMC_MCP_TOKEN", "LD_PRELOAD"],
  sys: [
    undefined,
    "loadavg",
    "hostname",
    "systemMemoryInfo",
    "networkInterfaces",
    "osRelease",
    "osUptime",
    "uid",
    "gid",
    "username",
    "cpus",
    "homedir",
    "statfs",
    "getPriority",
    "setPriority",
  ],
  ffi: [undefined, "/usr/lib/libc.so.6"],
  import: [undefined, "jsr.io:443", "registry.npmjs.org:443", "127.0.0.1:80"],
};

/** Whatever is held beyond what was granted is a leak; whatever is missing makes the other checks worthless. */
export function checkPermissions(granted: Granted): Check {
  const name = "permissions of the server";
  const held = heldPermissions(granted), meant = new Set(meantPermissions(granted));
  const extra = held.filter((permission) => !meant.has(permission));
  if (extra.length > 0) return { outcome: "leaked", name, detail: extra.join(", ") };
  const missing = [...meant].filter((permission) => !held.includes(permission));
  if (missing.length > 0) return { outcome: "broken", name, detail: `missing: ${missing.join(", ")}` };
  return { outcome: "held", name, detail: held.join(", ") };
}

function meantPermissions(granted: Granted): string[] {
  return Object.entries(granted).flatMap(([kind, scopes]: [string, readonly string[]]) =>
    scopes.map((scope) => `${kind} ${scope}`)
  );
}

function heldPermissions(granted: Granted): string[] {
  const held: string[] = [];
  for (const [kind, probes] of Object.entries(PROBES)) {
    const given = scopesOf(kind, granted);
    const others = probes.filter((probe) => probe === undefined || !given.some((scope) => covers(kind, scope, probe)));
    for (const scope of [...given, ...others]) {
      if (isHeld(kind, scope)) held.push(scope === undefined ? kind : `${kind} ${scope}`);
    }
  }
  return [...new Set(held)];
}

/** What lies below a granted folder, and every port of a granted host, is granted with it. */
function covers(kind: string, scope: string, probe: string): boolean {
  return kind === "net" ? probe.replace(/:\d+$/, "") === scope : kind !== "run" && isInside(probe, scope);
}

function scopesOf(kind: string, granted: Granted): readonly string[] {
  return kind === "read" || kind === "write" || kind === "run" || kind === "net" ? granted[kind] : [];
}

function isHeld(kind: string, scope: string | undefined): boolean {
  const status = Deno.permissions.querySync(descriptor(kind, scope));
  return status.state === "granted" && !(scope === undefined && status.partial);
}

function descriptor(kind: string, scope: string | undefined): Deno.PermissionDescriptor {
  const of = <K extends string>(key: K) => scope === undefined ? {} : { [key]: scope };
  switch (kind) {
    case "read":
    case "write":
    case "ffi":
      return { name: kind, ...of("path") };
    case "run":
      return { name: kind, ...of("command") };
    case "net":
    case "import":
      return { name: kind, ...of("host") };
    case "env":
      return { name: kind, ...of("variable") };
    default:
      return { name: "sys", ...of("kind") };
  }
}
