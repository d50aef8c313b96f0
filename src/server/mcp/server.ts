/** MCP server of one connection or request: tools, resources and prompts, in either protocol era. @module */
import type { CallConsent, Caller } from "../../call/answer.ts";
import {
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Config } from "../../config/resolve.ts";
import { OpsError } from "../../core/error.ts";
import { VERSION } from "../../core/version.ts";
import type { Logger } from "../../obs/log.ts";
import type { Approvals } from "../../call/approvals.ts";
import { digestOf } from "../../call/call_digest.ts";
import type { Catalog } from "../../call/catalog.ts";
import { MORE } from "../../call/more.ts";
import type { Envelope } from "../../call/pipeline.ts";
import type { Tool } from "../../call/tool.ts";
import { CACHE_HINTS, CAPABILITIES } from "./capabilities.ts";
import type { ListChanges, ListName } from "./changes.ts";
import { makeClientRoots } from "./client_roots.ts";
import { complete, type CompletionDeps } from "./completion.ts";
import { type Asked, CONSENT_FORM, consentIn, consentQuestion } from "./consent.ts";
import { ICON } from "./icon.ts";
import { type CallerPeer, peerCaller, speakerOf, STATELESS, withSignsOfLife } from "./caller.ts";
import type { Prompts } from "./prompts.ts";
import type { Resources } from "./resources/resources.ts";
import { makeSubscriptions } from "./subscriptions.ts";
import { toolList } from "./tool_list.ts";
import { toolResult } from "./tool_result.ts";
import { makeUsedOnce } from "../http/used_once.ts";
import type { Watches } from "./watches.ts";

/** What every MCP server of this process shares. */
export interface McpDeps extends CompletionDeps {
  /** Its settings may change. */
  readonly config: Config;
  readonly envelope: Envelope;
  readonly catalog: Catalog;
  readonly approvals: Approvals;
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly watches: Watches;
  readonly changes: ListChanges;
  readonly log: Logger;
  /** Hears which session is over. */
  readonly endSession: (sessionId: string) => void;
  /** What a client is told once, under 1 KB. */
  readonly instructions: () => string;
}

const INVALID_PARAMS = -32602, INTERNAL_ERROR = -32603;
/** Name of the question in a request for input. */
const APPROVAL = "approval";

/** The newer protocol names the server in every result: title and icon would cost 130 tokens each time. */
const SHORT_IDENTITY = { [SERVER_INFO_META_KEY]: { name: "llmc-mcp", version: VERSION } };

/** The keeping of promises between asking a client's user and the repeated call. */
interface Consent {
  mint(asked: Asked): Promise<string>;
  /** True the first time. */
  useOnce(nonce: string): boolean;
}

/** A server and whose it is. */
interface Served {
  readonly server: Server;
  readonly peer: CallerPeer;
  /** The caller of a request, held to the roots of its client. */
  callerOf(context: ServerContext): Promise<Caller>;
}

/** Makes servers. */
export function makeMcp(deps: McpDeps): (peer: CallerPeer) => Server {
  const codec = createRequestStateCodec<Asked>({ key: crypto.getRandomValues(new Uint8Array(32)) });
  const consent: Consent = { mint: (asked) => codec.mint(asked), useOnce: makeUsedOnce() };
  return (peer) => {
    const server = new Server({ name: "llmc-mcp", title: "llmc-mcp", version: VERSION, icons: [ICON] }, {
      capabilities: CAPABILITIES,
      instructions: deps.instructions(),
      cacheHints: CACHE_HINTS,
      requestState: { verify: codec.verify },
    });
    const roots = makeClientRoots({
      ...deps,
      isDeclared: () => server.getClientCapabilities()?.roots !== undefined,
      silent: peer.silent,
    });
    server.setNotificationHandler("notifications/roots/list_changed", roots.changed);
    const callerOf = async (context: ServerContext) =>
      peerCaller(peer, speakerOf(server, context), context, deps.config.settings, await roots.paths(context));
    const served: Served = { server, peer, callerOf };
    serveTools(served, deps, consent);
    serveResources(served, deps);
    servePrompts(served, deps);
    if (peer.lasting) {
      serveNews(server, deps.changes);
      onClose(server, () => deps.endSession(peer.sessionId));
    }
    return server;
  };
}

function serveTools({ server, peer, callerOf }: Served, deps: McpDeps, consent: Consent): void {
  const { catalog, approvals, envelope, config } = deps;
  const opened = new Set<string>(); // groups that this client has seen: from then on they are in its list
  const isStateless = () => server.getNegotiatedProtocolVersion() === STATELESS;
  server.setRequestHandler("tools/list", (_request, context) => ({
    tools: toolList(
      { catalog, settings: config.settings, needsConsent: approvals.wants },
      speakerOf(server, context).name,
      opened,
    ),
  }));
  const open = (group: unknown) => {
    // In the newer protocol a list must not depend on the connection.
    if (typeof group !== "string" || opened.has(group) || isStateless() || !peer.lasting) return;
    opened.add(group);
    if (config.settings.tools.list === "core") server.sendToolListChanged().catch(ignore);
  };
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const meant = catalog.meant(params.name, params.arguments ?? {}), { args } = meant;
    const tool = catalog.find(meant.name);
    if (!tool) {
      const error = catalog.unknown(meant.name);
      throw new ProtocolError(INVALID_PARAMS, `${error.message}. ${error.hint}`);
    }
    const speaker = speakerOf(server, context);
    const caller = await callerOf(context);
    const call = async (given?: CallConsent) => {
      const answer = await withSignsOfLife(
        envelope.call(meant.name, args, given === undefined ? caller : { ...caller, consent: given }),
        caller.progress,
      );
      if (answer.tool === MORE) open(Object(answer.result).group);
      const result = toolResult(answer, speaker.hasLinks && config.settings.tools.result_links);
      return isStateless() ? { ...result, _meta: SHORT_IDENTITY } : result;
    };
    const question = approvals.wants(tool) && speaker.canAsk && catalog.accepts(tool, args)
      ? consentQuestion(tool, Object(args))
      : null;
    if (question === null) return await call();
    const asked = await askClient({ tool, args: Object(args), question }, peer, context, consent);
    return typeof asked === "string" ? await call(asked) : asked;
  });
}

function serveResources({ server, callerOf }: Served, { resources, watches }: McpDeps): void {
  const subscriptions = makeSubscriptions();
  server.setRequestHandler("resources/list", ({ params }) =>
    orProtocolError(async () => {
      const page = await resources.list(params?.cursor);
      return { ...page, resources: [...page.resources] };
    }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resources.templates()] }));
  server.setRequestHandler("resources/read", ({ params: { uri } }, context) =>
    orProtocolError(async () => {
      const content = await resources.read(uri, await callerOf(context));
      return { contents: [{ uri, ...content }] };
    }, uri));
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }, context) =>
    orProtocolError(async () => {
      const tell = () => void server.sendResourceUpdated({ uri }).catch(ignore);
      await subscriptions.begin(uri, async () => await watches.watch(uri, await callerOf(context), tell));
      return {};
    }, uri));
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscriptions.end(uri);
    return {};
  });
  onClose(server, subscriptions.close);
}

function servePrompts({ server, callerOf }: Served, deps: McpDeps): void {
  server.setRequestHandler("prompts/list", () => ({
    prompts: deps.prompts.list().map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })),
  }));
  server.setRequestHandler("prompts/get", ({ params }) =>
    orProtocolError(() => {
      const { description, text } = deps.prompts.fill(params.name, params.arguments ?? {});
      return Promise.resolve({
        description,
        messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
      });
    }));
  server.setRequestHandler(
    "completion/complete",
    ({ params: { ref, argument } }, context) =>
      orProtocolError(async () => ({ completion: await complete(deps, ref, argument, await callerOf(context)) })),
  );
}

/** Tells a client that a list has changed; never before it has said that it is ready. */
function serveNews(server: Server, changes: ListChanges): void {
  let initialized = false;
  server.oninitialized = () => initialized = true;
  const send: Record<ListName, () => Promise<void>> = {
    tools: () => server.sendToolListChanged(),
    prompts: () => server.sendPromptListChanged(),
    resources: () => server.sendResourceListChanged(),
  };
  const stop = changes.subscribe((list) => {
    // Where there is no such word, the entry passes on what the client has subscribed to.
    if (initialized || server.getNegotiatedProtocolVersion() === STATELESS) send[list]().catch(ignore);
  });
  onClose(server, stop);
}

function onClose(server: Server, work: () => void): void {
  const before = server.onclose;
  server.onclose = () => {
    before?.();
    work();
  };
}

/** A client that has gone away no longer wants to know. */
function ignore(): void {}

/** The user's answer, or the question that the client must put to them before it calls again. */
async function askClient(
  { tool, args, question }: { readonly tool: Tool; readonly args: object; readonly question: string },
  { owner }: CallerPeer,
  { mcpReq }: ServerContext,
  { mint, useOnce }: Consent,
): Promise<CallConsent | InputRequiredResult> {
  const digest = await digestOf(`${owner} ${tool.name}`, args);
  const given = consentIn(mcpReq.inputResponses?.[APPROVAL], mcpReq.requestState<Asked>(), digest, useOnce);
  return given ?? inputRequired({
    inputRequests: {
      [APPROVAL]: inputRequired.elicit({ message: question, requestedSchema: CONSENT_FORM }),
    },
    requestState: await mint({ digest, nonce: crypto.randomUUID() }),
  });
}

const MISSING: ReadonlySet<string> = new Set(["NOT_FOUND", "HANDLE_NOT_FOUND", "PROCESS_NOT_FOUND"]);
const NOT_THE_CLIENTS_FAULT: ReadonlySet<string> = new Set(["INTERNAL", "TIMEOUT", "RATE_LIMITED", "WRITE_FAILED"]);

/** Errors of requests that have no result to put them into. */
async function orProtocolError<T>(work: () => Promise<T>, uri?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OpsError)) throw error;
    const message = `${error.code}: ${error.message}. ${error.hint}`;
    if (uri !== undefined && MISSING.has(error.code)) throw new ResourceNotFoundError(uri, message);
    const code = NOT_THE_CLIENTS_FAULT.has(error.code) ? INTERNAL_ERROR : INVALID_PARAMS;
    throw new ProtocolError(code, message, { code: error.code, hint: error.hint });
  }
}
