/** Google's Agent Development Kit, which opens a session for each call. */
import { MCPToolset } from "@google/adk";
import { ADDRESS, drive, HEADERS, STDIO } from "./job.mjs";

await drive(async (transport) => {
  const toolset = new MCPToolset(
    transport === "stdio"
      ? { type: "StdioConnectionParams", serverParams: STDIO }
      : { type: "StreamableHTTPConnectionParams", url: ADDRESS, header: HEADERS },
  );
  const tools = await toolset.getTools();
  return {
    count: tools.length,
    async call(name, args) {
      const tool = tools.find((each) => each.name === name);
      return JSON.stringify(await tool.runAsync({ args, toolContext: {} }));
    },
    close: () => toolset.close(),
  };
});
