/** The TypeScript SDK of the second generation. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ADDRESS, drive, HEADERS, STDIO } from "./job.mjs";

await drive(async (transport) => {
  const client = new Client({ name: "sdk-v2", version: "1" });
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
