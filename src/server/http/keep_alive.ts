/** Keeps the connection of a slow answer alive: proxies and clients cut one on which nothing is sent. @module */
import { encodeText } from "../../core/bytes.ts";
import { within } from "../../core/time.ts";

/** Below the shortest time after which common proxies cut an idle connection, 30 s. */
const INTERVAL_MS = 10_000;

/**
 * Passes on an answer that comes soon. After an interval without one the client gets an event stream: a comment at each
 * interval, and then the answer as its event.
 */
export async function keepAlive(coming: Promise<Response>, intervalMs = INTERVAL_MS): Promise<Response> {
  const soon = await within(coming, intervalMs, undefined);
  return soon ?? new Response(slowly(coming, intervalMs), {
    headers: { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" },
  });
}

function slowly(coming: Promise<Response>, intervalMs: number): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      const comment = () => controller.enqueue(encodeText(": keep-alive\n\n"));
      comment();
      timer = setInterval(comment, intervalMs);
    },
    cancel: () => clearInterval(timer),
  });
  const send = async (): Promise<void> => {
    const answer = await coming;
    clearInterval(timer);
    if (isStream(answer)) return await answer.body?.pipeTo(writable);
    const writer = writable.getWriter();
    await writer.write(encodeText(`event: message\ndata: ${await answer.text()}\n\n`));
    await writer.close();
  };
  send().catch(async (error: unknown) => {
    clearInterval(timer);
    await writable.abort(error).catch(() => {}); // the client has gone away
  });
  return readable;
}

function isStream(answer: Response): boolean {
  return answer.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
}
