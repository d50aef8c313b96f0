/** The composition root: every service of the server, made once. @module */
import type { Config } from "../config/resolve.ts";
import { describeConfig } from "../config/redact.ts";
import type { Logger } from "../obs/log.ts";
import { type ChildVerbs, makeChildren } from "../sandbox/children.ts";
import type { BrokerVerbs, SandboxReport, Startup } from "../sandbox/protocol.ts";
import type { Assets } from "../sys/assets.ts";
import { type Catalog, makeCatalog } from "../te/catalog.ts";
import { type Envelope, type FinishedCall, makeEnvelope } from "../te/envelope.ts";
import { makePathGuard } from "../te/path_guard.ts";
import type { ToolContext } from "../te/tool.ts";
import { tools } from "../tools/catalog.ts";

/** What the composition needs from the thread that it runs in. */
export interface AppDeps {
  readonly startup: Startup;
  readonly broker: BrokerVerbs;
  /** The host of children where Landlock alone confines them. */
  readonly spawner: () => Promise<ChildVerbs>;
  readonly indexer: () => Promise<MessagePort>;
  readonly assets: Assets;
  /** A line for the person at the terminal. */
  readonly say: (line: string) => void;
}

/** What tools are handed, apart from what belongs to one call. */
type Services = Omit<ToolContext, "config" | "session" | "owner" | "signal" | "progress">;

/** The application, without a face. */
export interface App {
  readonly config: Config;
  readonly envelope: Envelope;
  readonly catalog: Catalog;
  readonly services: Services;
  readonly log: Logger;
  /** Must be called once the level is known, before the first call. */
  setReport(report: SandboxReport): void;
  /** What `GET /health` tells who has the token. */
  health(): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}
