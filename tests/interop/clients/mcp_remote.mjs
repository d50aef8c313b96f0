/** mcp-remote: a program that clients of stdio start to reach a server over HTTP. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import process from "node:process";
import { ADDRESS, drive, STDIO, TOKEN } from "./job.mjs";

const REMOTE = {
  command: process.execPath,
  args: ["node_modules/mcp-remote/dist/proxy.js", ADDRESS, "--header", "Authorization:${AUTHORIZATION}"],
  env: { ...STDIO.env, AUTHORIZATION: `Bearer ${TOKEN}` },
};

await drive(async () => {
  const client = new Client({ name: "behind mcp-remote", version: "1" });
  await client.connect(new StdioClientTransport({ ...REMOTE, stderr: "ignore" }));
  return {
    count: (await client.listTools()).tools.length,
    async call(name, args) {
      const { content } = await client.callTool({ name, arguments: args });
      return content.map(({ text }) => text).join("");
    },
    close: () => client.close(),
  };
}, ["http"]);
