// Reads a stream of server-sent events. `EventSource` cannot send a header, and the proof of the login is one.
import { ask } from "./key.js";

const RETRY_MS = 3_000;

/** Keeps a stream open until the login is over; returns how to stop it. */
export function openStream(query, { onPart, onState = () => {}, onOver }) {
  const stopping = new AbortController();
  void keepReading();
  return () => stopping.abort();

  async function keepReading() {
    while (!stopping.signal.aborted) {
      const end = await readOnce().catch(() => "lost");
      if (stopping.signal.aborted) return;
      if (end === "over") return onOver();
      onState("not connected", "off");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async function readOnce() {
    const answer = await ask(`/ui/live?${query}`, { signal: stopping.signal });
    if (answer.status === 401 || answer.status === 403) return "over";
    if (!answer.ok) return "lost";
    onState("live", "on");
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "lost";
      const events = (text + value).split("\n\n");
      text = events.pop();
      for (const event of events) {
        const [, name, data] = /^event: (\w+)\ndata: ?(.*)$/.exec(event) ?? [];
        if (name === "part") onPart(JSON.parse(data));
        else if (name === "over") return "over";
      }
    }
  }
}
