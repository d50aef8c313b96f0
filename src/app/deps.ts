/** Declares what the application needs. @module */
import type { FinishedCall } from "../call/account.ts";
import type { FileAttributes } from "../sys/files/file_attributes.ts";
import type { Entries } from "../sys/files/entries.ts";
import type { Assets } from "../sys/assets.ts";
import type { BrokerVerbs, ChildVerbs, Startup } from "../sandbox/protocol.ts";
import type { ScriptThread } from "../exec/scripts.ts";
import type { IndexerVerbs } from "../code_search/indexer.ts";
import type { CondenserVerbs } from "../condense/condenser.ts";

/** What the composition needs from the thread that it runs in. */
export interface AppDeps {
  readonly startup: Startup;
  readonly broker: BrokerVerbs;
  /** The host of children where Landlock alone confines them. @param renewed With the roots' entries as they are now. */
  readonly spawner: (renewed?: boolean) => Promise<ChildVerbs>;
  /** The indexer, in a thread of its own. */
  readonly indexer: () => Promise<IndexerVerbs>;
  /** Condenses long output, in a thread of its own. */
  readonly condenser: () => Promise<CondenserVerbs>;
  /** A thread for one script. */
  readonly scriptThread: () => Promise<ScriptThread>;
  readonly assets: Assets;
  /** Extended attributes and access lists; absent where C cannot be called. */
  readonly attributes?: FileAttributes;
  /** Looks at entries; absent where C cannot be called. */
  readonly entries?: Entries;
  /** Resident memory; where it is absent, the runtime's own figure. */
  readonly memoryBytes?: () => number;
  /** Takes lines of the log. */
  readonly sink?: (line: string) => void;
  readonly onCall?: (call: FinishedCall) => void;
  /** Shows a line to the person at the terminal; absent without one. */
  readonly show?: (line: string) => void;
}
