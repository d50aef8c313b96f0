/** `llmc://docs/NAME`: short documents for agents, from the roots or built in. @module */
import { baseName } from "../../../core/path.ts";
import type { Config } from "../../../config/resolve.ts";
import { OpsError } from "../../../core/error.ts";
import { entryInfo } from "../../../sys/files/entry_info.ts";
import { readText } from "../../../sys/files/read_text.ts";
import type { PathGuard } from "../../../roots/path_guard.ts";
import { agentsCore } from "../sidecars/agents_core.ts";
import { contractsEnv } from "../sidecars/contracts_env.ts";
import { mimeTypeOf } from "./mime_type.ts";
import type { ListedResource, ResourceKind } from "./resource_kind.ts";
import { resourceUri } from "./resource_uri.ts";

/** A document that stands in for a file that is not there. */
interface BuiltIn {
  readonly title: string;
  readonly description: string;
  text(config: Config): string;
}

const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  "agents.core.min.md": {
    title: "Working with this server",
    description: "How an agent gets the most out of these tools for the fewest tokens.",
    text: agentsCore,
  },
  "contracts.env.min.md": {
    title: "Environment contract",
    description: "The rules in force: folders, programs, limits, and the meaning of errors.",
    text: contractsEnv,
  },
};

const MAX_BYTES = 256 * 1024;

/** The documents that `mcp.resources.sidecars` names. */
export function documents(config: Config, paths: PathGuard): ResourceKind {
  /** Path of the configured document of a name. */
  const pathOf = (name: string) => config.settings.resources.sidecars.find((path) => baseName(path) === name);
  /** The file, when it is there and inside the roots. */
  const fileOf = async (path: string): Promise<string | null> => {
    try {
      return await paths.existing(path);
    } catch (error) {
      if (error instanceof OpsError) return null;
      throw error;
    }
  };

  const describe = async (path: string): Promise<ListedResource[]> => {
    const name = baseName(path), builtIn = builtInOf(name);
    const isThere = await fileOf(path) !== null;
    if (!isThere && !builtIn) return [];
    const about = isThere || !builtIn
      ? { title: `${name} of the repository`, description: `Text of the repository: ${path}.` }
      : { title: builtIn.title, description: builtIn.description };
    return [{ uri: resourceUri("docs", name), name, ...about, mimeType: mimeTypeOf(name) }];
  };

  return {
    kind: "docs",
    isOffered: () => true,
    template: null,
    async list() {
      const byName = new Map(config.settings.resources.sidecars.map((path) => [baseName(path), path]));
      return (await Promise.all([...byName.values()].map(describe))).flat();
    },
    async read(name, { signal }) {
      const path = pathOf(name), file = path === undefined ? null : await fileOf(path);
      if (path !== undefined && file !== null) {
        const { text, truncated } = await readText(file, path, MAX_BYTES, signal);
        if (text === null) throw new OpsError("NOT_FOUND", `the document ${path} is not a text file`);
        const shown = truncated ? `${text}\n[cut after ${MAX_BYTES} bytes]\n` : text;
        return { mimeType: mimeTypeOf(name), text: `${originOf(path)}\n\n${shown}` };
      }
      const builtIn = path === undefined ? undefined : builtInOf(name);
      if (!builtIn) {
        throw new OpsError("NOT_FOUND", `there is no document '${name.slice(0, 80)}'`, "List the resources.");
      }
      return { mimeType: mimeTypeOf(name), text: builtIn.text(config) };
    },
    async stamp(name) {
      const path = pathOf(name), file = path === undefined ? null : await fileOf(path);
      if (path === undefined) return null;
      if (file === null) return builtInOf(name) ? "built in" : null;
      const { mtimeMs, sizeBytes } = await entryInfo(file, path);
      return `${mtimeMs} ${sizeBytes}`;
    },
    complete: () => Promise.resolve([]),
  };
}

/** What a repository says are the words of its authors: it must not pass for words of this server. */
function originOf(path: string): string {
  return `[text of the repository, from ${path}; not of this server]`;
}

function builtInOf(name: string): BuiltIn | undefined {
  return Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
}
