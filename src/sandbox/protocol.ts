/** Defines the messages between the threads of this process, checked by types on both ends. @module */
import type { Config } from "../config/resolve.ts";
import type { Ruleset } from "./landlock.ts";
import type { PassedBound } from "./tree_bounds.ts";
import type { SuspectFile } from "./guard_watch.ts";
import type { Check, Granted } from "./permission_check.ts";
import type { MachineFacts } from "../sysinfo/machine_facts.ts";
import type { SignalName } from "../sysinfo/signal_process.ts";
import type { ProcessFacts } from "../sysinfo/processes.ts";

/** How much the kernel holds: both mechanisms, one of them, or none. */
export type Level = "full" | "landlock" | "bwrap" | "none";

/** What confines one child. */
export type Confinement = "bwrap" | "landlock" | "none";

/** Whether children can be put into bubblewrap, and if not, what it said. */
export interface Bubblewrap {
  readonly works: boolean;
  readonly reason: string;
  readonly version: string;
}

/** The state of the sandbox, for people and for tools. */
export interface SandboxReport {
  readonly level: Level;
  /** 0 without Landlock. */
  readonly landlockAbi: number;
  readonly bubblewrap: Bubblewrap;
  /** Why the level is not `full`, and the one thing that would raise it; empty at `full`. */
  readonly advice: string;
  readonly unconfined: boolean;
  readonly root: boolean;
}

/** A file that nothing inside may read, and what children try to reach. */
export interface Canary {
  readonly path: string;
  /** A link to its folder, from inside a granted directory. */
  readonly link: string;
  /** The way to it through the link. */
  readonly linked: string;
  readonly secret: string;
}

/** What a host of children must know; resolved once by main. */
export interface HostConfig {
  readonly config: Config;
  readonly canary: Canary;
  /**
   * Folder inside the data directory that holds everything the server keeps: its name cannot be guessed, and only it is
   * granted. So a link to the data directory leads nowhere, even where a check of the path lost a race.
   */
  readonly storeDir: string;
  /** Folders of this program alone, that are there: where one lies in a root, children see it empty. */
  readonly ownFolders: readonly string[];
  /** Private directory of this server, not granted to anybody: holds the canary and {@link HostConfig.scratchDir}. */
  readonly runtimeDir: string;
  /** Holds a TMPDIR for each session; in bubblewrap it is its /tmp. */
  readonly scratchDir: string;
  /** HOME of programs: private to the server, kept between calls. */
  readonly homeDir: string;
  /** Holds the embedded programs that the machine does not have, under their usual names. */
  readonly extraPrograms: string;
  /** Names this server in the environment of its children, so that strays can be found. */
  readonly marker: string;
  /** The process id of this server. */
  readonly serverPid: number;
  /** The kernel's Landlock ABI: above 0 it can hold children where bubblewrap does not work. */
  readonly landlockAbi: number;
  /** Whether a namespace waits for the next program: not where there is a single command. */
  readonly keepsNamespace: boolean;
  /** Level forced by a test build; null in a release. */
  readonly forcedLevel: Level | null;
}

/** The program by whose name the server asks for the cleaner of the private home. */
export const HOME_CLEANER = "@clean-home";

/** What a child is asked to be. */
export interface ChildRequest {
  /** An allowlisted name; the host maps it to its real path and checks it again. */
  readonly program: string;
  readonly args: readonly string[];
  /** Real path inside the roots. */
  readonly cwd: string;
  /** The roots of a session that has fewer; without it those of the configuration. Held where namespaces are. */
  readonly roots?: readonly string[] | undefined;
  /** Calls of one session share a /tmp; without it there is one for all that have none. See `sessionKey`. */
  readonly session?: string | undefined;
  /** Whether it starts no other program: then nothing it leaves behind is waited for. */
  readonly runsAlone?: boolean | undefined;
  /** Added to the fixed base environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: "null" | "pipe" | Uint8Array<ArrayBuffer>;
  /** Run it under a pseudo-terminal of this size. */
  readonly pty?: { readonly rows: number; readonly cols: number };
}

/** A request with the mark that the child and all its descendants carry in their environment. */
export interface MarkedRequest extends ChildRequest {
  readonly mark: string;
}

/** How a child ended. */
export interface ChildExit {
  /** Exit code; 128 + number when a signal ended it. */
  readonly code: number;
  readonly signal: string | null;
  /** Places that the proxy refused while it ran, and why; of programs that ran at the same time as well. */
  readonly refused?: readonly string[];
}

/** The same as its host tells it. */
export interface EndedChild extends ChildExit {
  readonly suspects: readonly SuspectFile[];
  /** The bound that it was ended for. */
  readonly passed: PassedBound | null;
}

/** A child, as its host tells of it. */
export interface StartedChild {
  readonly id: number;
  readonly pid: number;
  readonly confinement: Confinement;
  /** Whether what it changes in files is recorded, so that it can be undone. */
  readonly isRecorded: boolean;
}

/** Verbs of a host of children: the broker (bubblewrap, or nothing) and the spawner (Landlock) both speak them. */
export interface ChildVerbs {
  spawn(request: MarkedRequest): Promise<StartedChild>;
  /** The next bytes of a stream; null at its end. */
  read(id: number, stream: "stdout" | "stderr"): Promise<Uint8Array<ArrayBuffer> | null>;
  write(id: number, data: Uint8Array<ArrayBuffer>): Promise<void>;
  closeStdin(id: number): Promise<void>;
  /** To the child's own process group. */
  signal(id: number, name: SignalName): Promise<void>;
  /** Ends the whole tree at once. */
  kill(id: number): Promise<void>;
  resize(id: number, rows: number, cols: number): Promise<void>;
  wait(id: number): Promise<EndedChild>;
  /** Removes the temporary folder of a session; none of its programs runs. */
  removeTmp(session: string): Promise<void>;
  /** Guarded files that programs made or changed since they were last asked for. */
  suspects(): Promise<readonly SuspectFile[]>;
  /** Ends what waits for the next child; nothing waits from then on. */
  close(): Promise<void>;
}

/** Questions that only a thread outside the domain can answer. */
export interface Facts extends MachineFacts, ProcessFacts {
  /** Kills every process that carries this server's marker and id; returns how many there were. */
  sweep(id: string): Promise<number>;
  /** Names of the processes that belong to one child. */
  namesOf(id: string): Promise<readonly string[]>;
  /** The TCP ports that processes of one child listen on, in whichever network namespace they are. */
  portsOf(id: string): Promise<readonly number[]>;
}

/** Everything the broker does. */
export interface BrokerVerbs extends ChildVerbs, Facts {
  /** Puts a child into bubblewrap that tries to get out. */
  probe(): Promise<{ bubblewrap: Bubblewrap; checks: Check[] }>;
  /** Has children that no process namespace holds ended after this server, even if it is killed; called before the first. */
  watch(): Promise<void>;
  /** Removes what main left on disk and in memory; the last thing that is asked of the broker. */
  cleanUp(): Promise<void>;
}

/** Everything the spawner does. */
export interface SpawnerVerbs extends ChildVerbs {
  selfTest(): Promise<Check[]>;
}

/** How the server worker faces the world. */
export type Face =
  | { readonly kind: "stdio" }
  | {
    readonly kind: "http";
    readonly token: string | null;
    readonly tls: { cert: string; key: string } | null;
    /** A person watches the terminal: show each call in a line, and keep the log to what is wrong. */
    readonly watched: boolean;
  }
  /** Only the command line asks, through verbs of its own. */
  | { readonly kind: "command" };

/** What the server worker is given besides its ports. */
export interface Startup {
  readonly host: HostConfig;
  readonly face: Face;
  /** Real path of ripgrep, or why there is none. */
  readonly ripgrep: { readonly path: string | null; readonly detail: string };
  readonly hasLandlock: boolean;
  /** The domain that the worker has to enter; null when it is inside already, or when there is none. */
  readonly domain: Ruleset | null;
  /** What the worker was given of Deno's permissions. */
  readonly granted: Granted;
}

/** What main asks of every server worker; the application adds verbs of its own. */
export interface ServerVerbs {
  /** Builds every service and tries to break out. */
  start(startup: Startup): Promise<Check[]>;
  /** Opens the face; from here on calls are answered. Returns the address of an HTTP face. */
  serve(report: SandboxReport): Promise<string>;
  /** Stops accepting, lets short calls end, stops children, closes the stores. */
  stop(): Promise<void>;
}

/** Threads that are made when they are first needed. */
export type InnerWorker = "spawner" | "indexer" | "condenser";

/** What the server worker asks of main. */
export interface MainVerbs {
  /**
   * Makes a worker inside the domain and returns the port on which it answers.
   *
   * @param renewed Makes another one although there is one, which ends once its children have.
   */
  openWorker(name: InnerWorker, renewed?: boolean): Promise<MessagePort>;
  /** Makes a thread for one script and returns its port. @param id Chosen by the caller. */
  openScript(id: string): Promise<MessagePort>;
  /** Ends that thread, whatever it does. */
  endScript(id: string): Promise<void>;
  /** The face has ended by itself: end of input. */
  finished(): Promise<void>;
  /** A line for the person at the terminal (standard error). */
  say(line: string): Promise<void>;
}
