/** The container image, built from the Dockerfile on a local base. @module */
import { ROOT } from "../../scripts/project.ts";
import type { Sandbox } from "../support/binary.ts";
import { output } from "./released.ts";

const BASE = Deno.env.get("LLMC_DEBIAN_BASE") ?? "";
/** Its name. */
export const IMAGE = "localhost/llmc-mcp-under-test";
/** A container may not raise what this machine's limits are. */
export const LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"] as const;

/** Where buildah and podman keep what they make. */
export function storeOptions({ dir }: Sandbox): string[] {
  return ["--root", `${dir}/images`, "--runroot", `${dir}/running`, "--storage-driver", "overlay"];
}

/** Builds it. */
export async function buildImage(box: Sandbox): Promise<void> {
  const store = storeOptions(box);
  const base = (await output("buildah", [...store, "from", "scratch"])).trim();
  await output("buildah", [...store, "add", "--quiet", base, BASE, "/"]);
  await output("buildah", [...store, "commit", "--quiet", "--rm", base, "localhost/base"]);
  const build = [
    "build",
    "--isolation",
    "chroot",
    "--build-arg",
    "BASE=localhost/base",
    "--build-arg",
    "PACKAGES=released",
    "--tag",
    IMAGE,
  ];
  await output("buildah", [...store, ...build, ROOT]);
}
