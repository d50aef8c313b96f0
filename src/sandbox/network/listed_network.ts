/**
 * Holds the network that programs have when names are listed: a namespace of its own, in which a relay passes what is sent to
 * the proxy on, through a socket file that nothing else sees. All programs of a server share it, as they share a machine's.
 * @module
 */
import { lookup } from "node:dns/promises";
import { OpsError } from "../../core/error.ts";
import { readNetworkList } from "../../core/network_list.ts";
import { settlesWithin } from "../../core/time.ts";
import { BWRAP } from "../bwrap.ts";
import { makeProxy } from "./proxy.ts";
import { RELAY_COMMAND, RELAY_READY } from "./relay.ts";

/** The namespace, and what was refused in it. */
export interface ListedNetwork {
  /** Starts what is not running. @throws OpsError SANDBOX_UNAVAILABLE */
  open(): Promise<void>;
  /** The command that enters the namespace; empty before it is open. */
  entrance(): readonly string[];
  /** Places that were refused since a moment, each once. @param sinceMs Of `performance.now`. */
  refusedSince(sinceMs: number): readonly string[];
  close(): void;
}

const NSENTER = "/usr/bin/nsenter", START_MS = 20_000;
const MAX_REFUSED = 500, MAX_NAMED = 5;

/** Makes it; nothing runs before a program enters. @param folder Private to the server. */
export function makeListedNetwork(entries: readonly string[], folder: string): ListedNetwork {
  const socket = `${folder}/network.sock`;
  const refused: { readonly atMs: number; readonly line: string }[] = [];
  let listener: Deno.UnixListener | undefined, holder: Holder | undefined, starting: Promise<Holder> | undefined;

  const listen = () => {
    if (listener) return;
    const proxy = makeProxy({
      rules: readNetworkList(entries),
      resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
      connect: (hostname, port) => Deno.connect({ hostname, port }),
      refused(line) {
        refused.push({ atMs: performance.now(), line });
        if (refused.length > MAX_REFUSED) refused.shift();
      },
    });
    const own = listener = Deno.listen({ transport: "unix", path: socket });
    void (async () => {
      for await (const connection of own) void proxy.serve(connection);
    })().catch(() => {}); // closed
  };

  return {
    async open() {
      if (!Deno.build.standalone) throw unavailable("it needs the executable");
      listen();
      if (holder?.isAlive() !== true) {
        starting ??= startHolder(socket).finally(() => starting = undefined);
        holder = await starting;
      }
    },
    entrance() {
      if (holder === undefined) return [];
      const namespaces = `/proc/${holder.pid}/ns`;
      return [NSENTER, "--preserve-credentials", `--user=${namespaces}/user`, `--net=${namespaces}/net`, "--"];
    },
    refusedSince(sinceMs) {
      const lines = [...new Set(refused.filter(({ atMs }) => atMs >= sinceMs).map(({ line }) => line))];
      const more = lines.length - MAX_NAMED;
      return more > 0 ? [...lines.slice(0, MAX_NAMED), `${more} more places`] : lines;
    },
    close() {
      listener?.close();
      holder?.end();
    },
  };
}

/** The process that keeps the namespace and relays. */
interface Holder {
  readonly pid: number;
  isAlive(): boolean;
  end(): void;
}

/** In no more than the relay needs. `--dev` would make a second user namespace, to which the network would not belong. */
function holderArgs(socket: string): string[] {
  const program = Deno.execPath();
  return [
    ...["--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"],
    // After --tmpfs /tmp, because either may lie under it.
    ...["--proc", "/proc", "--tmpfs", "/tmp", "--ro-bind", program, program, "--ro-bind", socket, socket],
    ...["/dev/null", "/dev/urandom"].flatMap((device) => ["--dev-bind", device, device]),
    ...["--unshare-user", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"],
    ...["--die-with-parent", "--new-session", "--info-fd", "3", "--", program, RELAY_COMMAND, socket],
  ];
}

async function startHolder(socket: string): Promise<Holder> {
  const child = new Deno.Command("/bin/sh", {
    // bubblewrap closes the descriptor on which it says the process id: not that of the relay's output.
    args: ["-c", 'exec "$@" 3>&1', "sh", BWRAP, ...holderArgs(socket)],
    clearEnv: true,
    env: { HOME: "/tmp", LANG: "C.UTF-8" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let isAlive = true;
  void child.status.then(() => isAlive = false);
  const said = readUntilReady(child.stdout);
  const pid = await settlesWithin(said, START_MS) ? (await said) : null;
  if (pid !== null) {
    void child.stderr.cancel();
    return { pid, isAlive: () => isAlive, end: () => end(child) };
  }
  end(child);
  const reason = new TextDecoder().decode(await new Response(child.stderr).arrayBuffer()).trim().split("\n").at(-1);
  throw unavailable(reason ?? "");
}

function unavailable(reason: string): OpsError {
  const hint = "The operator set mcp.tools.network = list; off and on do not need it.";
  return new OpsError("SANDBOX_UNAVAILABLE", `the network of listed names cannot be set up: ${reason}`, hint);
}

function end(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // ended already
  }
}

/** bubblewrap says the process, then the relay that it listens. */
async function readUntilReady(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<number | null> {
  let text = "";
  for await (const chunk of stdout.values({ preventCancel: true })) {
    text += new TextDecoder().decode(chunk);
    if (text.includes(RELAY_READY)) return Number(/"child-pid": *(\d+)/.exec(text)?.[1] ?? NaN) || null;
  }
  return null;
}
