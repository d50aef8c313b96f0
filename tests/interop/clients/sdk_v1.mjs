/** The TypeScript SDK of the first generation. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ADDRESS, drive, HEADERS, STDIO } from "./job.mjs";

await drive(async (transport) => {
  const client = new Client({ name: "sdk-v1", version: "1" });
  await client.connect(
    transport === "stdio"
      ? new StdioClientTransport({ ...STDIO, stderr: "ignore" })
      : new StreamableHTTPClientTransport(new URL(ADDRESS), { requestInit: { headers: HEADERS } }),
  );
  const { tools } = await client.listTools();
  return {
    count: tools.length,
    call: async (name, args) =>
      (await client.callTool({ name, arguments: args })).content.map(({ text }) => text).join(""),
    close: () => client.close(),
  };
});
