/** Conversation with one server about one task, with the token cost of every call. @module */
import type { Connection, ListedTool } from "./stdio_client.ts";
import type { Count } from "./tokenizers.ts";

/** What a task cost. */
export interface Cost {
  /** Tool list and instructions, which every conversation pays. */
  readonly listTokens: number;
  /** Names and arguments that the model wrote. */
  readonly callTokens: number;
  /** Texts that it read. */
  readonly resultTokens: number;
  readonly calls: number;
  /** Time that the server took, without the thinking of a model. */
  readonly wallMs: number;
}

/** One conversation. */
export interface Session {
  /** Calls a tool and answers with the text that the model reads. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  /** All results so far: what the model knows. */
  readonly seen: string;
  readonly cost: Cost;
}

/** The tool that leads to those that are not listed. */
const MORE = "more";

/** Starts counting. */
export function makeSession(connection: Connection, count: Count): Session {
  const listed = new Set(connection.tools.map(({ name }) => name)), looked = new Set<string>();
  const listTokens = connection.tools.reduce(
    (sum, tool) => sum + count(listedText(tool)),
    count(connection.instructions),
  );
  let callTokens = 0, resultTokens = 0, calls = 0, wallMs = 0, seen = "";
  return {
    async call(name, args): Promise<string> {
      if (!listed.has(name) && listed.has(MORE)) {
        // A model that has not seen a tool's arguments looks at them first, once.
        if (!looked.has(name)) await this.call(MORE, { tool: name });
        looked.add(name);
        return await this.call(MORE, { tool: name, arguments: args });
      }
      const start = performance.now();
      const text = await connection.call(name, args);
      wallMs += performance.now() - start;
      calls++;
      callTokens += count(JSON.stringify({ name, arguments: args }));
      resultTokens += count(text);
      seen += `${text}\n`;
      return text;
    },
    get seen() {
      return seen;
    },
    get cost() {
      return { listTokens, callTokens, resultTokens, calls, wallMs: Math.round(wallMs) };
    },
  };
}

/** What clients put before a model of a tool. */
function listedText({ name, description, inputSchema }: ListedTool): string {
  return JSON.stringify({ name, description, input_schema: inputSchema });
}
