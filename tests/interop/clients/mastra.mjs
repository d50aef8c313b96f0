/** Mastra: tools of a server as tools of its agents. */
import { MCPClient } from "@mastra/mcp";
import { ADDRESS, drive, HEADERS, STDIO } from "./job.mjs";

let opened = 0;
await drive(async (transport) => {
  const llmc = transport === "stdio" ? STDIO : { url: new URL(ADDRESS), requestInit: { headers: HEADERS } };
  const client = new MCPClient({ id: `client-${opened++}`, servers: { llmc } });
  const tools = await client.listTools();
  return {
    count: Object.keys(tools).length,
    async call(name, args) {
      const answer = await tools[`llmc_${name}`].execute(args, {});
      return typeof answer === "string" ? answer : JSON.stringify(answer);
    },
    close: () => client.disconnect(),
  };
});
