/**
 * Builds the MCP bundle, which a desktop client installs with a click; packed and validated by the official tool.
 * @module
 */
import { packExtension } from "@anthropic-ai/mcpb";
import { settingsSchema } from "../../src/config/schema.ts";
import { makeCatalog } from "../../src/call/catalog.ts";
import { tools } from "../../src/tools/catalog.ts";
import { ROOT } from "../project.ts";
import type { Built } from "./built.ts";
import type { Common } from "./common_files.ts";
import { normalZip } from "./normal_zip.ts";
import { layOut } from "./packed_file.ts";
import { baseName, PRODUCT } from "./product.ts";
import { findRepository } from "./repository.ts";

/** Makes `llmc-mcp-VERSION-linux-ARCH.mcpb` and returns its path. */
export async function makeBundle({ arch, binary, workDir, outDir, time }: Built, { notices }: Common): Promise<string> {
  const output = `${outDir}/${baseName(arch)}.mcpb`, extensionPath = `${workDir}/mcpb`;
  await layOut(extensionPath, [
    { path: "manifest.json", content: `${JSON.stringify(await manifest(), null, 2)}\n` },
    { path: "server/llmc-mcp", content: { from: binary }, mode: 0o755 },
    { path: "LICENSE", content: { from: `${ROOT}/LICENSE` } },
    { path: "THIRD_PARTY_NOTICES", content: notices },
    { path: "icon.png", content: { from: `${ROOT}/packaging/icon.png` } },
  ], time);
  if (!await packExtension({ extensionPath, outputPath: output, silent: true })) {
    throw new Error("the official tool refuses the bundle's manifest: run it without 'silent' to see why");
  }
  // The tool writes the time of day into the archive, and the order of a directory.
  await Deno.writeFile(output, normalZip(await Deno.readFile(output), time));
  return output;
}

/** The manifest, version 0.3: which tools there are, and what the client asks its user. */
export async function manifest(): Promise<Record<string, unknown>> {
  const repository = await findRepository();
  return {
    manifest_version: "0.3",
    name: PRODUCT.name,
    display_name: PRODUCT.title,
    version: PRODUCT.version,
    description: PRODUCT.summary,
    long_description: PRODUCT.description,
    author: { name: PRODUCT.authors },
    ...repository === null ? {} : { repository: { type: "git", url: repository.url } },
    license: PRODUCT.license,
    keywords: [...PRODUCT.keywords],
    icon: "icon.png",
    server: {
      type: "binary",
      entry_point: "server/llmc-mcp",
      mcp_config: {
        command: "${__dirname}/server/llmc-mcp",
        args: ["stdio", "${user_config.roots}"],
        env: {
          LLMC_MCP__READ_ONLY: "${user_config.read_only}",
          LLMC_MCP__TOOLS__ALLOW_OUTBOUND_NETWORK: "${user_config.network}",
        },
      },
    },
    compatibility: { platforms: ["linux"] },
    user_config: USER_CONFIG,
    tools: listedTools(),
  };
}

const USER_CONFIG = {
  roots: {
    type: "directory",
    title: "Folders",
    description: "The folders that tools may read and change. Nothing outside of them can be touched.",
    multiple: true,
    required: true,
  },
  read_only: {
    type: "boolean",
    title: "Read only",
    description: "Refuse every tool that writes, deletes or runs a program.",
    default: false,
  },
  network: {
    type: "boolean",
    title: "Network for programs",
    description: "Let the programs that tools start use the network.",
    default: true,
  },
};

/** What a client is shown when nothing is configured. */
function listedTools(): { name: string; description: string }[] {
  const settings = settingsSchema.parse({});
  const catalog = makeCatalog(tools, () => settings);
  return catalog.listed().map(({ name, summary }) => ({ name, description: summary }));
}
