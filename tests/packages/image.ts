/** The container image, built from the Dockerfile on a local base. @module */
import { ROOT } from "../../scripts/project.ts";
import type { Sandbox } from "../support/binary.ts";
import { output } from "./released.ts";

/** Archive of the bare system. */
const BASE = Deno.env.get("LLMC_DEBIAN_BASE") ?? "";
/** Its name. */
export const IMAGE = "localhost/llmc-mcp-under-test";
/** A container may not raise what this machine's limits are. */
export const LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"] as const;

/** Where buildah and podman keep what they make. */
export function storeOptions({ dir }: Sandbox): string[] {
  return ["--root", `${dir}/images`, "--runroot", `${dir}/running`, "--storage-driver", "overlay"];
}

/** What an image is built of. */
interface ImageSource {
  /** Archive or folder of the system below it; the bare one when absent. */
  readonly base?: string;
  /** Variables of that system. */
  readonly env?: readonly string[];
  /** Folder with the Dockerfile; this checkout when absent. */
  readonly context?: string;
  /** Where the executable comes from, as the Dockerfile names it. */
  readonly packages: "built" | "released";
}

/** Builds it. */
export async function buildImage(
  box: Sandbox,
  { base = BASE, env = [], context = ROOT, packages }: ImageSource,
): Promise<void> {
  const store = storeOptions(box);
  const system = (await output("buildah", [...store, "from", "scratch"])).trim();
  await output("buildah", [...store, "add", "--quiet", system, base, "/"]);
  await output("buildah", [...store, "config", ...env.flatMap((variable) => ["--env", variable]), system]);
  await output("buildah", [...store, "commit", "--quiet", "--rm", system, "localhost/base"]);
  const args = ["BASE=localhost/base", `PACKAGES=${packages}`].flatMap((arg) => ["--build-arg", arg]);
  await output("buildah", [...store, "build", "--isolation", "chroot", ...args, "--tag", IMAGE, context]);
}
