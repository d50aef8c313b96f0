/** Creates the bare Debian system for package tests, once for each checkout. @module */
import { exists, print, ROOT } from "./project.ts";
import { runTool } from "./release/run_tool.ts";

const SUITE = "bookworm";
/** What a test needs of the system itself; what a package needs it must bring. */
const INCLUDED = ["ca-certificates", "caddy", "curl", "dbus", "nginx-light", "openssl", "systemd", "systemd-sysv"];

/** Path of the archive of a bare system with some packages. @param name Of the kind of system. */
export async function debianBase(name = "packages", included: readonly string[] = INCLUDED): Promise<string> {
  const archive = `${ROOT}/dist/debian-${SUITE}-${name}.tar`;
  if (await exists(archive)) return archive;
  print(`debian: making a bare system (${SUITE} with ${included.join(", ")}), 1 to 3 minutes`);
  const dir = await Deno.makeTempDir({ prefix: "llmc-debootstrap-" });
  try {
    const root = `${dir}/root`, policy = `${root}/usr/sbin/policy-rc.d`;
    await runTool("debootstrap", ["--variant=minbase", "--include=ca-certificates", SUITE, root]);
    // Nothing may be started while it is installed: the network here is that of this machine.
    await Deno.writeTextFile(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
    const install = `apt-get install -y -qq --no-install-recommends ${included.join(" ")} && apt-get clean`;
    await runTool("chroot", [root, "sh", "-c", `export DEBIAN_FRONTEND=noninteractive; ${install}`]);
    await Deno.remove(policy);
    await Deno.mkdir(`${ROOT}/dist`, { recursive: true });
    await runTool("tar", ["-cf", `${archive}.new`, "--one-file-system", "-C", root, "."]);
    await Deno.rename(`${archive}.new`, archive);
  } finally {
    await runTool("rm", ["-rf", "--one-file-system", dir]);
  }
  return archive;
}
