/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** Script worker: runs one program of a model, without any permission, and ends. @module */
import { type ScriptNews, type ScriptOrder, waitForAnswer } from "../sandbox/script_protocol.ts";
import { evaluateProgram } from "../sys/quickjs.ts";

self.onmessage = ({ data: { ports: [port] } }: MessageEvent<{ readonly ports: readonly MessagePort[] }>) => {
  if (port) port.onmessage = ({ data }: MessageEvent<ScriptOrder>) => void obey(port, data);
};

async function obey(
  port: MessagePort,
  { wasm, code, prelude, shared, cpuMs, maxPrintedChars }: ScriptOrder,
): Promise<void> {
  const say = (news: ScriptNews) => port.postMessage(news);
  const startedMs = performance.now();
  const unsent: string[] = [];
  let printedChars = 0, sleptMs = 0;
  const takePrinted = () => unsent.splice(0).join("");
  const end = await evaluateProgram(wasm, { code, prelude }, {
    print(text) {
      printedChars += text.length;
      if (printedChars > maxPrintedChars) throw new Error(`more than ${maxPrintedChars} characters were printed`);
      unsent.push(text);
    },
    call(name, json) {
      const sleepingMs = performance.now();
      const answer = waitForAnswer(shared, () => say({ kind: "call", name, json, printed: takePrinted() }));
      sleptMs += performance.now() - sleepingMs;
      return answer;
    },
    isOver: () => performance.now() - startedMs - sleptMs > cpuMs,
  }).catch((error: unknown) => ({ error: String(error), line: null }));
  say({ kind: "end", ...end, printed: takePrinted() });
}
