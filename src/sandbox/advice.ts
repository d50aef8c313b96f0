/** Advises how to raise the sandbox level on this machine: one command for each known obstacle. @module */
import type { MachineSettings } from "./machine_settings.ts";

/** Why a part does not work, and what to do. */
export interface Trouble {
  readonly why: string;
  /** Empty when nothing is known to help. */
  readonly advice: string;
}

const OLDEST_KERNEL = [5, 13];

/** Why there is no Landlock. */
export function landlockTrouble({ kernel, securityModules, container }: MachineSettings): Trouble {
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_KERNEL;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    return { why: `not in Linux ${kernel}`, advice: `boot Linux ${OLDEST_KERNEL.join(".")} or newer` };
  }
  if (securityModules && !securityModules.includes("landlock")) {
    const list = ["landlock", ...securityModules].join(",");
    return { why: "not switched on in this kernel", advice: `boot with lsm=${list} on the kernel's command line` };
  }
  const advice = container !== ""
    ? "allow its system calls: run the container with --security-opt seccomp=unconfined"
    : "boot with landlock in the kernel's lsm= list";
  return { why: "not available", advice };
}

/** @param reason What bubblewrap said. */
export function bubblewrapTrouble(
  reason: string,
  { forbidding, container, install, asRoot }: MachineSettings,
): Trouble {
  const why = firstLine(reason);
  if (reason.includes("not installed")) return { why, advice: install("bubblewrap") };
  if (forbidding.length > 0) {
    return { why, advice: asRoot(`sysctl -w ${forbidding.map(({ key, value }) => `${key}=${value}`).join(" ")}`) };
  }
  if (/ENOSPC|No space left|max_\S*namespaces/.test(reason)) {
    return { why, advice: asRoot("sysctl -w user.max_user_namespaces=15000") };
  }
  if (/RTM_NEWADDR/.test(reason)) return { why, advice: "run the container with --cap-add NET_ADMIN" };
  if (/uid map|namespace|not permitted/i.test(reason)) {
    const advice = container !== ""
      ? "run the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
      : "allow user namespaces for /usr/bin/bwrap, in its AppArmor or SELinux profile";
    return { why, advice };
  }
  return { why, advice: "" };
}

function firstLine(text: string): string {
  return text.trim().replace(/^exit code \d+: /, "").split("\n")[0]?.slice(0, 200) ?? "";
}
