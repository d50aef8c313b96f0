/** Detects the kind of container that a process runs in, from the markers that container runtimes leave. @module */

/** What can be looked at; a text is empty where there is none. */
export interface ContainerSigns {
  exists(path: string): boolean;
  readText(path: string): string;
  readonly env: Readonly<Record<string, string>>;
}

const MARKS = [
  ["/var/run/secrets/kubernetes.io", "kubernetes"],
  ["/run/.containerenv", "podman"],
  ["/.dockerenv", "docker"],
] as const;
const CGROUP = /\b(?:docker|libpod|kubepods|containerd|crio|lxc|garden|machine\.slice)\b/;
const CGROUP_KINDS: Readonly<Record<string, string>> = {
  libpod: "podman",
  kubepods: "kubernetes",
  "machine.slice": "container",
};
/** Where Docker, containerd and Podman keep the layers of a root file system. */
const LAYERS = /(?:upper|lower)dir=\S*\/(?:docker|containerd|containers|overlay2|overlay-containers)\//;

/** `docker`, `podman`, `lxc`, …; `container` when the runtime cannot be told; empty outside of one. Cheap signs first. */
export function containerKind({ exists, readText, env }: ContainerSigns): string {
  if (env.KUBERNETES_SERVICE_HOST) return "kubernetes"; // set in every pod
  // Podman, LXC and systemd-nspawn set the variable; systemd notes what its manager set.
  const named = env.container || readText("/run/systemd/container").trim();
  if (named) return named;
  const mark = MARKS.find(([path]) => exists(path));
  if (mark !== undefined) return mark[1];
  const group = readText("/proc/self/cgroup").match(CGROUP)?.[0];
  if (group !== undefined) return CGROUP_KINDS[group] ?? group;
  const root = readText("/proc/self/mountinfo").split("\n").find((line) => line.split(" ")[4] === "/");
  return root !== undefined && LAYERS.test(root) ? "container" : "";
}
