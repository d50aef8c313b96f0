/** The AI SDK of Vercel: tools of a server as tools of a model call. */
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { ADDRESS, drive, HEADERS, STDIO } from "./job.mjs";

await drive(async (transport) => {
  const client = await createMCPClient({
    transport: transport === "stdio"
      ? new StdioTransport({ ...STDIO, stderr: "ignore" })
      : { type: "http", url: ADDRESS, headers: HEADERS },
  });
  const tools = await client.tools();
  return {
    count: Object.keys(tools).length,
    async call(name, args) {
      const { content } = await tools[name].execute(args, { messages: [], toolCallId: "1" });
      return content.map(({ text }) => text).join("");
    },
    close: () => client.close(),
  };
});
