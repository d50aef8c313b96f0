/** Declares what the MCP server can do, and how long clients may cache its lists. @module */

const MINUTE_MS = 60_000;

/** Features of the protocol that the server has. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
};

/** Lists change with the configuration only, which is announced; that of the tools depends on the client as well. */
export const CACHE_HINTS = {
  "tools/list": { ttlMs: 10 * MINUTE_MS, cacheScope: "private" },
  "prompts/list": { ttlMs: 10 * MINUTE_MS, cacheScope: "public" },
  "resources/templates/list": { ttlMs: 10 * MINUTE_MS, cacheScope: "public" },
  "resources/list": { ttlMs: MINUTE_MS, cacheScope: "private" },
  "server/discover": { ttlMs: 10 * MINUTE_MS, cacheScope: "public" },
} as const;
