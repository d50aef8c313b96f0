/** Lists the system paths outside the roots that a child may read. @module */
import type { Config } from "../config/resolve.ts";
import { isInside, isInsideAny, parentOf } from "../core/path.ts";

/** Programs and libraries. */
export const SYSTEM_DIRS = ["/usr", "/lib", "/lib64", "/bin", "/sbin"];

/** Names, locale and loader data. None of them is a secret. */
const ETC_FILES = [
  "passwd",
  "group",
  "ld.so.cache",
  "alternatives",
  "nsswitch.conf",
  "localtime",
  "timezone",
  "mime.types",
  "os-release",
];
/** What a program needs to reach other machines by name and to trust them; not the private keys beside it. */
const ETC_NETWORK = [
  "hosts",
  "resolv.conf",
  "services",
  "protocols",
  "gai.conf",
  "ca-certificates",
  "ssl/certs",
  "ssl/cert.pem",
  "ssl/openssl.cnf",
  "pki/ca-trust",
  "pki/tls/certs",
  "pki/tls/cert.pem",
  "pki/tls/openssl.cnf",
  "crypto-policies",
];

/** Absolute paths under /etc that children may read. */
export function etcPaths(network: boolean): string[] {
  return [...ETC_FILES, ...network ? ETC_NETWORK : []].map((name) => `/etc/${name}`);
}

/** Devices without state. */
export const SAFE_DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/** What a pseudo-terminal needs. */
export const TERMINAL_DEVICES = ["/dev/ptmx", "/dev/pts", "/dev/tty"];

/**
 * Folders of allowlisted programs outside the system folders, the roots and each other. Of a program in the home directory
 * itself, or beside the data directory, only the file: its folder would open everything there.
 *
 * @param open Folders that the child sees anyway.
 */
export function foreignPrograms(
  { binaries, roots, homeDir, dataDir }: Pick<Config, "binaries" | "roots" | "homeDir" | "dataDir">,
  open: readonly string[] = [],
): string[] {
  const places = new Set(
    Object.values(binaries).map((path) => {
      const folder = parentOf(path);
      return [homeDir, dataDir].some((dir) => isInside(dir, folder)) ? path : folder;
    }),
  );
  const covered = [...SYSTEM_DIRS, ...roots, ...open], all = [...places];
  return all.filter((place) => !isInsideAny(place, [...covered, ...all.filter((other) => other !== place)]));
}
