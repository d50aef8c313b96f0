/** Lists the system paths outside the roots that a child may read. @module */
import { isInsideAny, parentOf } from "../core/path.ts";

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

/** Directories of allowlisted programs that lie neither in a system directory nor in a root. */
export function foreignBinaryDirs(binaries: Readonly<Record<string, string>>, roots: readonly string[]): string[] {
  const covered = [...SYSTEM_DIRS, ...roots];
  const dirs = Object.values(binaries).map((path) => parentOf(path));
  return [...new Set(dirs)].filter((dir) => !isInsideAny(dir, covered));
}
