/** The container image built from a fresh clone. @module */
import assert from "node:assert/strict";
import { bringSources, CLEAN_SYSTEM } from "../../scripts/clean_system.ts";
import { debianBase } from "../../scripts/debian_base.ts";
import { ROOT } from "../../scripts/project.ts";
import { VERSION } from "../../src/core/version.ts";
import { Sandbox } from "../support/binary.ts";
import { DebianRoot } from "./debian_root.ts";
import { buildImage, IMAGE, LIMITS, storeOptions } from "./image.ts";
import { needing, program } from "../support/needs.ts";
import { output } from "./released.ts";

const NEEDED = ["buildah", "podman", "runc"].map(program);

Deno.test({
  ...needing("a plain clone builds an image that reads files and runs programs", ...NEEDED),
  async fn() {
    await using box = await Sandbox.make({ "a.txt": "hello\n" });
    await Deno.chmod(box.dir, 0o755); // the container's user is another one
    await using system = await DebianRoot.make(await debianBase("clean", CLEAN_SYSTEM));
    await bringSources(system);
    const context = `${box.dir}/clone`;
    await output("git", ["clone", "-q", ROOT, context]);
    const env = ["NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt"];
    await buildImage(box, { base: system.dir, env, context, packages: "built" });
    const options = [...storeOptions(box), "--cgroup-manager", "cgroupfs", "--runtime", "runc"];
    const mount = ["--volume", `${box.root}:/app/work`];
    const run = (...args: string[]) =>
      output("podman", [...options, "run", "--rm", "--network", "none", ...LIMITS, ...mount, IMAGE, ...args]);
    assert.match(await run("--version"), new RegExp(VERSION));
    assert.match(await run("tool", "linux_fs_read", "path=a.txt"), /hello/);
    assert.match(await run("tool", "run_cmd", "command=git --version"), /git version 2/);
  },
});
