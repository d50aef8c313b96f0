/** Product description for packages, and the name of an architecture in each package format. @module */
import { VERSION } from "../../src/core/version.ts";
import { ROOT } from "../project.ts";
import type { Arch } from "../vendor.ts";

/** Names and sentences that every package carries. */
export const PRODUCT = {
  name: "llmc-mcp",
  version: VERSION,
  title: "llmc-mcp: sandboxed tools for Linux",
  /** At most 100 characters: the MCP registry takes no more. */
  summary: "Sandboxed MCP server for Linux with compact output, confined by the kernel",
  /** At most 80 characters, in the form of Debian's descriptions. */
  synopsis: "sandboxed MCP server for Linux with compact output",
  description: "One executable that reads, writes, searches and patches files, runs allowlisted programs, inspects " +
    "processes and the system, and finds code, inside the folders that you choose and nowhere else. Landlock and " +
    "bubblewrap enforce this; results are short, and the rest is available through handles.",
  authors: "The llmc-mcp authors",
  /** Where nobody is bothered: questions belong into the repository. */
  email: "llmc-mcp@users.noreply.github.com",
  license: "MIT",
  keywords: ["mcp", "linux", "files", "shell", "search", "sandbox"],
} as const;

/** Where a finished release lies. */
export const RELEASE_DIR = `${ROOT}/dist/release`;

/** What other worlds call an architecture. */
interface ArchNames {
  readonly deb: string;
  readonly npm: string;
  /** As Deno names the target. */
  readonly target: string;
}

/** Every architecture that a release may hold, as `uname -m` calls it. */
export const ARCHS: Readonly<Record<Arch, ArchNames>> = {
  x86_64: { deb: "amd64", npm: "x64", target: "x86_64-unknown-linux-gnu" },
  aarch64: { deb: "arm64", npm: "arm64", target: "aarch64-unknown-linux-gnu" },
};

/** `llmc-mcp-1.2.3-linux-x86_64`: what the files for one architecture are called, without an ending. */
export function baseName(arch: Arch): string {
  return `${PRODUCT.name}-${PRODUCT.version}-linux-${arch}`;
}
