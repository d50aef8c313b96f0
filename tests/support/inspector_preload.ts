/**
 * Loaded before the Inspector, which keeps a copy of every answer for its log. Under Deno a copy of a stream that has not
 * ended keeps the original from being read for as long as the copy is, so that no event ever arrives. Of event streams the
 * copy is therefore empty; Node.js needs none of this.
 * @module
 */
const cloneOf = Response.prototype.clone;

Response.prototype.clone = function (): Response {
  const isEventStream = this.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
  return isEventStream ? new Response("", this) : cloneOf.call(this);
};
