/** The files of the tested release. @module */
import { VERSION } from "../../src/core/version.ts";

/** Folder with the packages; the test verb makes them when they are old. */
export const RELEASE_DIR = Deno.env.get("LLMC_RELEASE_DIR") ??
  new URL("../../dist/release", import.meta.url).pathname;

const MACHINE = Deno.build.arch;

/** Name of each package for this machine. */
export const PACKAGES = {
  tarball: `llmc-mcp-${VERSION}-linux-${MACHINE}.tar.gz`,
  bundle: `llmc-mcp-${VERSION}-linux-${MACHINE}.mcpb`,
  deb: `llmc-mcp_${VERSION}_${MACHINE === "x86_64" ? "amd64" : "arm64"}.deb`,
  npm: `llmc-mcp-${VERSION}.tgz`,
} as const;

/** Path of a package for this machine. */
export function released(kind: keyof typeof PACKAGES): string {
  return `${RELEASE_DIR}/${PACKAGES[kind]}`;
}

/** Runs a program of this machine and returns what it prints. @throws Error when it fails */
export async function output(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
): Promise<string> {
  const { success, code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    stdin: "null",
    ...options,
  }).output();
  const decoder = new TextDecoder();
  if (!success) {
    throw new Error(`${program} ${args.join(" ")}: ${code}\n${decoder.decode(stdout)}${decoder.decode(stderr)}`);
  }
  return decoder.decode(stdout);
}
