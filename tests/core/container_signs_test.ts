import assert from "node:assert/strict";
import { showsContainer } from "../../src/core/container_signs.ts";

/** A machine with these files, and texts of others. */
function machine(files: readonly string[], texts: Readonly<Record<string, string>> = {}, env = {}) {
  return { exists: (path: string) => files.includes(path), readText: (path: string) => texts[path] ?? "", env };
}

const ON_DISK = "24 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw\n25 24 0:5 / /proc rw - proc proc rw\n";
const OVERLAY = "600 500 0:52 / / ro,relatime - overlay overlay ro,lowerdir=/var/lib/containers/storage/overlay/l/AB," +
  "upperdir=/var/lib/containers/storage/overlay/x/diff,workdir=/var/lib/containers/storage/overlay/x/work\n";

Deno.test("showsContainer: one sign is enough", () => {
  const signs: [string, ReturnType<typeof machine>][] = [
    ["Docker's file", machine(["/.dockerenv"])],
    ["Podman's file", machine(["/run/.containerenv"])],
    ["systemd's note", machine(["/run/systemd/container"])],
    ["Podman's variable, where its file is hidden by --read-only", machine([], {}, { container: "podman" })],
    ["a pod", machine([], {}, { KUBERNETES_SERVICE_HOST: "10.0.0.1" })],
    ["the older control groups", machine([], { "/proc/self/cgroup": "4:memory:/docker/0123456789ab\n" })],
    ["a pod's control group", machine([], { "/proc/self/cgroup": "0::/kubepods.slice/kubepods-pod1.slice\n" })],
    ["a root of layers", machine([], { "/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": OVERLAY })],
  ];
  for (const [name, signs_] of signs) assert.ok(showsContainer(signs_), name);
});

Deno.test("showsContainer: a machine of its own shows none", () => {
  const cgroup = "0::/user.slice/user-1000.slice/session-3.scope\n";
  assert.ok(!showsContainer(machine([], { "/proc/self/cgroup": cgroup, "/proc/self/mountinfo": ON_DISK })));
  const live = ON_DISK.replace("ext4 /dev/sda2 rw", "overlay overlay rw,lowerdir=/lower,upperdir=/run/live/rw");
  assert.ok(!showsContainer(machine([], { "/proc/self/mountinfo": live }, { container: "" })), "a live system");
  const host =
    `${ON_DISK}99 24 0:60 / /var/lib/docker/overlay2/ab/merged rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l\n`;
  assert.ok(!showsContainer(machine([], { "/proc/self/mountinfo": host })), "a host of containers");
});
