/** Drives a published agent against a stub model on the loopback, in a network that has nothing else. */
import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import http from "node:http";
import process from "node:process";
import { BINARY, ROOT } from "./job.mjs";

/** Most requests of a run: one for each step, and what agents ask besides. */
const MAX_REQUESTS = 40;

/** What the model asks for, and what the result of each has to contain. */
function stepsOf(name) {
  return [
    ["linux_fs_write", { path: name, content: "alpha\n" }, name],
    ["linux_fs_patch_block", { path: name, old_text: "alpha", new_text: `beta ${name}` }, name],
    ["linux_fs_read", { path: name }, `beta ${name}`],
    ["linux_search_content", { pattern: `beta ${name}` }, name],
    ["run_cmd", { command: `cat ${name}` }, `beta ${name}`],
  ];
}

/**
 * A model that goes through the steps of the job.
 *
 * @param protocol `tools` and `results` of a request's body (names, texts), and `answer` as events: a call or a text.
 */
function startModel(protocol) {
  const steps = stepsOf(`f${Math.random().toString(36).slice(2)}.txt`), seen = { tools: 0, requests: 0, trouble: "" };
  const next = (body) => {
    const tools = protocol.tools(body).filter(({ name }) => /llmc/.test(name)), results = protocol.results(body);
    if (tools.length === 0) return { text: "ok" }; // a request beside the conversation
    seen.tools = tools.length;
    const last = steps[results.length - 1];
    if (last && !results.at(-1).includes(last[2])) seen.trouble ||= `${last[0]}: ${results.at(-1)}`;
    const step = steps[results.length];
    if (seen.trouble || !step) return { text: seen.trouble || `finished with ${results.length} results` };
    const tool = tools.find(({ name }) => name.endsWith(step[0]));
    return tool ? { call: tool, args: step[1], id: `call_${results.length}` } : { text: `no ${step[0]}` };
  };
  const server = http.createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    if (++seen.requests > MAX_REQUESTS) return response.writeHead(500).end();
    if (request.method !== "POST" || !protocol.isTurn(request.url)) {
      return response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    }
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const event of protocol.answer(next(JSON.parse(text)))) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve({ url: `http://127.0.0.1:${server.address().port}`, seen, server }))
  );
}

function run(command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    child.stdout.on("data", (data) => out += data);
    child.stderr.on("data", (data) => out += data);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out }));
  });
}

/**
 * Adds the server as `print-config` says, lists it, and has the agent do the job.
 *
 * @param protocol See `startModel`.
 * @param commands Made from the model's address and a home directory: `env`, `add`, `list` (with the text that shows that
 *   the server is there) and `job`.
 */
export async function driveAgent(protocol, commands) {
  const model = await startModel(protocol), home = await mkdtemp(`${process.env.AGENT_HOME}/agent-`);
  const { env, add, list, job } = await commands({ url: model.url, home, binary: BINARY, root: ROOT });
  const added = add ? await run(add[0], add.slice(1), env) : { code: 0 };
  if (added.code !== 0) throw new Error(added.out);
  const listed = await run(list.command[0], list.command.slice(1), env);
  if (!list.shows.test(listed.out)) throw new Error(`not listed: ${listed.out}`);
  const { out } = await run(job[0], job.slice(1), env);
  if (!out.includes(`finished with 5 results`)) throw new Error(`${model.seen.trouble}\n${out.slice(-4000)}`);
  if (!(model.seen.tools >= 20)) throw new Error(`${model.seen.tools} tools`);
  console.log(JSON.stringify({ transport: "stdio", tools: model.seen.tools }));
  process.exit(0);
}
