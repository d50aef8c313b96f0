/** A Debian system with the requirements of the README, and this checkout in it. @module */
import type { DebianRoot } from "../tests/packages/debian_root.ts";
import { exists, ROOT } from "./project.ts";
import { runTool } from "./release/run_tool.ts";

/** The README's own list of packages. */
export const CLEAN_SYSTEM = ["ca-certificates", "git", "make", "npm"];

/** Where the checkout is in that system. */
export const CHECKOUT = "/home/llmc-mcp";

/** Lines of shell: a company that inspects TLS has authorities of its own, and npm does not look where the system does. */
export const TRUST =
  "export npm_config_cafile=/etc/ssl/certs/ca-certificates.crt NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt";

/** Puts a bare repository at /source, and what this machine needs to reach its package registries. */
export async function bringSources(root: DebianRoot): Promise<void> {
  await runTool("git", ["clone", "-q", "--bare", ROOT, `${root.dir}/source`]);
  for (const path of ["/etc/ssl/certs/ca-certificates.crt", "/etc/resolv.conf", "/etc/hosts"]) {
    if (await exists(path)) await runTool("cp", ["-L", path, `${root.dir}${path}`]);
  }
  await root.sh(
    "git config --system --add safe.directory '*'; echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >>/etc/npmrc",
  );
}
