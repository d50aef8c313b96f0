/** The agents SDK of OpenAI: servers whose tools an agent calls. */
import { MCPServerStdio, MCPServerStreamableHttp } from "@openai/agents";
import { ADDRESS, drive, HEADERS, STDIO } from "./job.mjs";

await drive(async (transport) => {
  const server = transport === "stdio"
    ? new MCPServerStdio({ name: "llmc", ...STDIO })
    : new MCPServerStreamableHttp({ name: "llmc", url: ADDRESS, requestInit: { headers: HEADERS } });
  await server.connect();
  return {
    count: (await server.listTools()).length,
    call: async (name, args) => (await server.callTool(name, args)).map(({ text }) => text).join(""),
    close: () => server.close(),
  };
});
