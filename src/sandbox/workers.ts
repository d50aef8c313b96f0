/// <reference lib="deno.unstable" />
/** Creates the threads of this process, each with the fewest Deno permissions it needs. @module */
import type { Config } from "../config/resolve.ts";
import { makeAssets, serveAssets } from "../sys/assets.ts";
import type { Ruleset } from "./landlock.ts";
import type { Granted } from "./permission_check.ts";
import type { Face, HostConfig, InnerWorker, MainVerbs, ServerVerbs, Startup } from "./protocol.ts";
import { recordsPrograms } from "./recorder/coverage.ts";
import { hasRoomForRecorder } from "./recorder/room.ts";
import { connectCalls, serveCalls, type Verbs } from "./rpc.ts";

/** The threads besides main. */
export type WorkerName = "broker" | "server" | "recorder" | "script" | InnerWorker;

/** What making them takes. */
export interface WorkerOptions {
  readonly face: Face;
  readonly ripgrep: Startup["ripgrep"];
  readonly makeThread: (name: WorkerName, permissions: Deno.PermissionOptions) => Worker;
  /** Host that the optional embeddings service runs on. */
  readonly extraHosts: readonly string[];
  /** The server's face has ended by itself. */
  readonly onFinished: () => void;
  /** A thread died; nothing can be served any more. */
  readonly onCrash: (thread: WorkerName, message: string) => void;
  readonly say: (line: string) => void;
}

/** Starts the server worker, which waits to be told what to do. */
export function startServer<V extends ServerVerbs & Verbs<V>>(
  options: WorkerOptions,
  host: HostConfig,
  brokerPort: MessagePort,
  openWorker: MainVerbs["openWorker"],
  confinesItself: boolean,
): V {
  const { read, write, run, net } = serverPermissions(options, host);
  const worker = startWorker("server", {
    read: [...read],
    write: [...write],
    run: [...run],
    net: [...net],
    env: [],
    sys: [],
    ffi: confinesItself, // given away once it is in its domain
    import: false,
  }, options);
  const toMain = new MessageChannel(), assets = new MessageChannel();
  serveCalls<MainVerbs>(toMain.port1, {
    openWorker,
    ...makeScriptThreads(options),
    finished() {
      options.onFinished();
      return Promise.resolve();
    },
    say(line) {
      options.say(line);
      return Promise.resolve();
    },
  });
  serveAssets(assets.port1, makeAssets());
  const ports = { broker: brokerPort, main: toMain.port2, assets: assets.port2 };
  worker.postMessage(ports, [brokerPort, toMain.port2, assets.port2]);
  return connectCalls<V>(worker);
}

/** All that the server worker gets. */
export function serverPermissions(
  { ripgrep, face, extraHosts }: WorkerOptions,
  { config, storeDir }: HostConfig,
): Granted {
  const folders = [...config.roots, storeDir];
  return {
    read: folders,
    write: folders,
    run: ripgrep.path ? [ripgrep.path] : [],
    net: [...face.kind === "http" ? [listenAddress(config)] : [], ...extraHosts],
  };
}

/** `host:port` as Deno's permission check writes it; port 0 needs the whole host. */
function listenAddress({ settings: { server: { host, port } } }: Config): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === 0 ? name : `${name}:${port}`;
}

/** Makes workers inside the domain, each when it is first needed; every call opens another port to it. */
export function makeInnerWorkers(
  options: WorkerOptions,
  host: HostConfig,
  domain: Ruleset | null,
): (name: InnerWorker, scoped?: boolean, renewed?: boolean) => MessagePort {
  const workers = new Map<InnerWorker, Worker>();
  return (name, scoped = false, renewed = false) => {
    const channel = new MessageChannel();
    const known = workers.get(name);
    if (renewed) known?.postMessage({ retires: true, ports: [] });
    else if (known) {
      known.postMessage({ ports: [channel.port1] }, [channel.port1]);
      return channel.port2;
    }
    const isRecorded = name === "spawner" && recordsPrograms(host.config) && hasRoomForRecorder();
    const worker = startWorker(name, innerPermissions(name, options, host, domain !== null), options);
    workers.set(name, worker);
    if (name === "condenser") {
      worker.postMessage({ ports: [channel.port1] }, [channel.port1]);
      return channel.port2;
    }
    const assets = new MessageChannel();
    serveAssets(assets.port1, makeAssets());
    const recorder = isRecorded ? startRecorder(options, host) : undefined;
    worker.postMessage({ host, domain, scoped, ports: [channel.port1], assets: assets.port2, recorder }, [
      channel.port1,
      assets.port2,
      ...recorder ? [recorder] : [],
    ]);
    return channel.port2;
  };
}

/** Records what the children of one spawner change; ends with the last of them. */
function startRecorder(options: WorkerOptions, host: HostConfig): MessagePort {
  const channel = new MessageChannel(), worker = startWorker("recorder", "inherit", options);
  worker.postMessage({ host, port: channel.port1 }, [channel.port1]);
  return channel.port2;
}

function innerPermissions(
  name: InnerWorker,
  { extraHosts }: WorkerOptions,
  { config, storeDir }: HostConfig,
  confinesItself: boolean,
): Deno.PermissionOptions {
  // The spawner answers typed requests only, and the kernel confines it and its children.
  if (name === "spawner") return "inherit";
  if (name === "condenser") return "none";
  return {
    read: [...config.roots, storeDir],
    write: [storeDir],
    net: [...extraHosts],
    run: [],
    env: [],
    sys: [],
    ffi: confinesItself,
    import: false,
  };
}

/** Threads for scripts, one for each: they have no permission, and are ended as they are. */
function makeScriptThreads({ makeThread }: WorkerOptions): Pick<MainVerbs, "openScript" | "endScript"> {
  const threads = new Map<string, Worker>();
  return {
    openScript(id) {
      const { port1, port2 } = new MessageChannel(), worker = makeThread("script", "none");
      worker.onerror = (event) => event.preventDefault(); // the server sees that nothing more comes
      worker.postMessage({ ports: [port1] }, [port1]);
      threads.set(id, worker);
      return Promise.resolve(port2);
    },
    endScript(id) {
      threads.get(id)?.terminate();
      threads.delete(id);
      return Promise.resolve();
    },
  };
}

/** Starts a thread; the caller is told when it dies. */
export function startWorker(
  name: WorkerName,
  permissions: Deno.PermissionOptions,
  options: Pick<WorkerOptions, "makeThread" | "onCrash">,
): Worker {
  const worker = options.makeThread(name, permissions);
  worker.onerror = (event) => {
    event.preventDefault();
    options.onCrash(name, event.message);
  };
  return worker;
}
