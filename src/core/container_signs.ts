/** Detects whether a process runs in a container, from the markers that container runtimes leave. @module */

/** What can be looked at; a text is empty where there is none. */
export interface ContainerSigns {
  exists(path: string): boolean;
  readText(path: string): string;
  readonly env: Readonly<Record<string, string>>;
}

/** Docker, Podman, and what systemd notes of the manager that started it. */
const FILES = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"];
/** Set by Podman, LXC and systemd-nspawn; by Kubernetes in every pod. */
const VARIABLES = ["container", "KUBERNETES_SERVICE_HOST"];
const CGROUP = /\b(?:docker|libpod|kubepods|containerd|crio|lxc|garden|machine\.slice)\b/;
/** Where Docker, containerd and Podman keep the layers of a root file system. */
const LAYERS = /(?:upper|lower)dir=\S*\/(?:docker|containerd|containers|overlay2|overlay-containers)\//;

/** The cheap signs first. */
export function showsContainer({ exists, readText, env }: ContainerSigns): boolean {
  if (VARIABLES.some((name) => (env[name] ?? "") !== "") || FILES.some(exists)) return true;
  if (CGROUP.test(readText("/proc/self/cgroup"))) return true;
  const root = readText("/proc/self/mountinfo").split("\n").find((line) => line.split(" ")[4] === "/");
  return root !== undefined && LAYERS.test(root);
}
