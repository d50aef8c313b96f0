/** Starts the servers of all contestants on one folder, each with its own home directory. @module */
import { startServer } from "../peers/client.ts";
import { makePlace } from "../peers/place.ts";
import type { Bench, Running } from "./context.ts";

/** Started servers, which end together. */
export interface Servers extends AsyncDisposable {
  readonly all: readonly Running[];
}

/** Starts a server of every contestant that `takes` accepts. @param root folder that all of them serve */
export async function openServers(
  bench: Bench,
  root: string,
  takes: (running: Running["contestant"]) => boolean,
): Promise<Servers> {
  await using stack = new AsyncDisposableStack();
  const all: Running[] = [];
  for (const contestant of bench.contestants.filter(takes)) {
    const place = { ...stack.use(await makePlace()), root };
    const server = stack.use(await startServer(await contestant.command(place)));
    all.push({ contestant, server, root });
  }
  const opened = stack.move();
  return { all, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
