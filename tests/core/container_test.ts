import assert from "node:assert/strict";
import { containerKind } from "../../src/core/container.ts";

/** A machine with these files, and texts of others. */
function machine(files: readonly string[], texts: Readonly<Record<string, string>> = {}, env = {}) {
  return { exists: (path: string) => files.includes(path), readText: (path: string) => texts[path] ?? "", env };
}

const ON_DISK = "24 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw\n25 24 0:5 / /proc rw - proc proc rw\n";
const OVERLAY = "600 500 0:52 / / ro,relatime - overlay overlay ro,lowerdir=/var/lib/containers/storage/overlay/l/AB," +
  "upperdir=/var/lib/containers/storage/overlay/x/diff,workdir=/var/lib/containers/storage/overlay/x/work\n";

Deno.test("containerKind names the runtime by any of its marks", () => {
  const signs: [string, ReturnType<typeof machine>][] = [
    ["docker", machine(["/.dockerenv"])],
    ["podman", machine(["/run/.containerenv"])],
    ["lxc", machine([], { "/run/systemd/container": "lxc\n" })],
    ["podman", machine([], {}, { container: "podman" })],
    ["kubernetes", machine([], {}, { KUBERNETES_SERVICE_HOST: "10.0.0.1" })],
    ["docker", machine([], { "/proc/self/cgroup": "4:memory:/docker/0123456789ab\n" })],
    ["kubernetes", machine([], { "/proc/self/cgroup": "0::/kubepods.slice/kubepods-pod1.slice\n" })],
    ["container", machine([], { "/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": OVERLAY })],
  ];
  for (const [kind, each] of signs) assert.equal(containerKind(each), kind);
});

Deno.test("containerKind is empty on a machine of its own", () => {
  const cgroup = "0::/user.slice/user-1000.slice/session-3.scope\n";
  assert.equal(containerKind(machine([], { "/proc/self/cgroup": cgroup, "/proc/self/mountinfo": ON_DISK })), "");
  const live = ON_DISK.replace("ext4 /dev/sda2 rw", "overlay overlay rw,lowerdir=/lower,upperdir=/run/live/rw");
  assert.equal(containerKind(machine([], { "/proc/self/mountinfo": live }, { container: "" })), "", "a live system");
  const host =
    `${ON_DISK}99 24 0:60 / /var/lib/docker/overlay2/ab/merged rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l\n`;
  assert.equal(containerKind(machine([], { "/proc/self/mountinfo": host })), "", "a host of containers");
});
