/** Reads the machine settings that limit the sandbox, and the commands that change them. @module */
import { exists } from "../sys/files/exists.ts";

/** What is read of the machine. */
export interface MachineSettings {
  /** `6.18.44`. */
  readonly kernel: string;
  /** Security modules of the kernel, in order; null when it does not say. */
  readonly securityModules: readonly string[] | null;
  /** Settings that forbid what bubblewrap needs, each with the value that allows it. */
  readonly forbidding: readonly { readonly key: string; readonly value: string }[];
  readonly container: string;
  readonly isRoot: boolean;
  /** The command that installs a package here. */
  install(debianName: string): string;
  /** The command as it must be typed by this user. */
  asRoot(command: string): string;
}

/** Package managers by the program that tells of them. */
const MANAGERS: readonly (readonly [program: string, command: string])[] = [
  ["/usr/bin/apt-get", "apt-get install -y"],
  ["/usr/bin/dnf", "dnf install -y"],
  ["/usr/bin/yum", "yum install -y"],
  ["/usr/bin/zypper", "zypper install -y"],
  ["/usr/bin/pacman", "pacman -S --noconfirm"],
  ["/sbin/apk", "apk add"],
];

/** Each forbids unprivileged user namespaces in its own way when it has the first value. */
const SWITCHES: readonly (readonly [key: string, forbids: string, allows: string])[] = [
  ["kernel.unprivileged_userns_clone", "0", "1"],
  ["kernel.apparmor_restrict_unprivileged_userns", "1", "0"],
  ["user.max_user_namespaces", "0", "15000"],
];

/** Reads them. */
export function readMachineSettings(container: string): MachineSettings {
  const isRoot = Deno.uid() === 0;
  const asRoot = (command: string) => isRoot ? command : `sudo ${command}`;
  const manager = MANAGERS.find(([program]) => exists(program))?.[1] ?? "install the package";
  return {
    kernel: Deno.osRelease().match(/^\d+(\.\d+)*/)?.[0] ?? Deno.osRelease(),
    securityModules: readFirstLine("/sys/kernel/security/lsm")?.split(",") ?? null,
    forbidding: SWITCHES.filter(([key, forbids]) => readFirstLine(sysctlPath(key)) === forbids)
      .map(([key, , allows]) => ({ key, value: allows })),
    container,
    isRoot,
    install: (name) => asRoot(`${manager} ${name}`),
    asRoot,
  };
}

function sysctlPath(key: string): string {
  return `/proc/sys/${key.replaceAll(".", "/")}`;
}

function readFirstLine(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path).split("\n")[0]?.trim();
  } catch {
    return undefined; // this kernel does not have it, or does not show it
  }
}
