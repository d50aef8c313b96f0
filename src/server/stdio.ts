/** MCP over standard input and output. @module */
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../obs/log.ts";
import { divertConsole, stdinStream, stdoutStream } from "../sys/stdio.ts";
import type { Peer } from "./mcp.ts";
import type { makeMcp } from "./mcp.ts";

/** A running stdio face. */
export interface StdioFace {
  close(): Promise<void>;
}

/**
 * Serves one client until its end of input.
 *
 * @param onEnd Called once when the client has closed the input or cannot be written to any more.
 */
export function serveOverStdio(
  makeServer: ReturnType<typeof makeMcp>,
  peer: Peer,
  log: Logger,
  onEnd: () => void,
): StdioFace {
  divertConsole();
  const input = stdinStream(), output = stdoutStream();
  let ended = false;
  const end = () => {
    if (!ended) onEnd();
    ended = true;
  };
  input.once("end", end).once("close", end).once("error", end);
  output.once("error", end);
  return serveStdio(() => makeServer(peer), {
    transport: new StdioServerTransport(input, output),
    onerror: (error) => log.warn("stdio", { detail: error.message }),
  });
}
