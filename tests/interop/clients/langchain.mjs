/** LangChain's MCP adapters: tools of a server as tools of an agent. */
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ADDRESS, drive, HEADERS, STDIO } from "./job.mjs";

await drive(async (transport) => {
  const server = transport === "stdio"
    ? { transport: "stdio", ...STDIO, stderr: "ignore" }
    : { transport: "http", url: ADDRESS, headers: HEADERS };
  const client = new MultiServerMCPClient({ mcpServers: { llmc: server } });
  const tools = await client.getTools();
  return {
    count: tools.length,
    async call(name, args) {
      const tool = tools.find((each) => each.name === name || each.name.endsWith(`__${name}`));
      const answer = await tool.invoke(args);
      return typeof answer === "string" ? answer : JSON.stringify(answer);
    },
    close: () => client.close(),
  };
});
