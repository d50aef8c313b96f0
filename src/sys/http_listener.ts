/** Listening for HTTP. @module */

/** Where and how to listen. */
export interface ListenOptions {
  readonly hostname: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** PEM texts; plain HTTP when null. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  handle(request: Request, peerAddress: string): Response | Promise<Response>;
  /** A handler threw: the answer to give. */
  onError(error: unknown): Response;
}

/** An open listener. */
export interface Listener {
  /** `http://host:port`, as a person would type it. */
  readonly url: string;
  /** Lets what is in flight end for so long, then cuts it. */
  close(graceMs: number): Promise<void>;
}

/**
 * Opens the listener.
 *
 * @throws Error naming host and port when they cannot be had.
 */
export function listen({ hostname, port, tls, handle, onError }: ListenOptions): Listener {
  const abort = new AbortController();
  let url = "";
  const server = Deno.serve({
    hostname,
    port,
    ...tls ?? {},
    signal: abort.signal,
    onListen: ({ hostname, port }) => {
      url = `${tls ? "https" : "http"}://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
    },
    onError,
  }, (request, info) => handle(request, info.remoteAddr.transport === "tcp" ? info.remoteAddr.hostname : ""));
  return {
    url,
    async close(graceMs) {
      const cut = setTimeout(() => abort.abort(), graceMs);
      await server.shutdown();
      clearTimeout(cut);
      await server.finished;
    },
  };
}
