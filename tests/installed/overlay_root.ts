/** This machine's own system in an overlay: a root that can be changed and discarded. @module */
import { type Invocation, SystemRoot } from "../packages/system_root.ts";

/**
 * Lays an empty layer over the machine's system, in a mount namespace of its own: what is written there is in memory, and
 * gone with the namespace. It stays for as long as somebody holds standard input open.
 */
const LAY = `set -e
mount -t tmpfs -o mode=0755 llmc-mcp "$1"
cd "$1"
mkdir -m 0755 upper work root
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" root
cd root
for each in dev proc sys; do mount --rbind "/$each" "$each"; done
mount -t tmpfs -o mode=1777 llmc-mcp tmp
mount -t tmpfs -o mode=0755 llmc-mcp run
mkdir -p .outside
pivot_root . .outside
umount -l /.outside
echo ready
exec cat`;

/** Nothing of the machine changes, whatever is installed, written or removed in it. */
export class OverlayRoot extends SystemRoot {
  private constructor(readonly dir: string, readonly holder: Deno.ChildProcess) {
    super();
  }

  /** @throws Error with the reason where this cannot be done: it needs root, and a kernel that lays layers. */
  static async make(): Promise<OverlayRoot> {
    const dir = await Deno.makeTempDir({ prefix: "llmc-overlay-" });
    const args = ["--mount", "--propagation", "private", "sh", "-c", LAY, "sh", dir];
    const holder = new Deno.Command("unshare", { args, stdin: "piped", stdout: "piped", stderr: "piped" }).spawn();
    const said = new Response(holder.stderr).text();
    const root = new OverlayRoot(dir, holder);
    const reader = holder.stdout.getReader();
    const { done } = await reader.read();
    reader.releaseLock();
    if (!done) return root;
    await root[Symbol.asyncDispose]();
    throw new Error(`this system cannot be laid over: ${(await said).trim()}`);
  }

  /** Processes have a namespace of their own, so that nothing outlives the command. */
  protected entrance(): Invocation {
    const unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
    return { command: "nsenter", args: ["-t", String(this.holder.pid), "-m", "--", ...unshare] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.holder.stdin.close().catch(() => {}); // it may have ended already
    await Promise.all([this.holder.status, this.holder.stdout.cancel()]);
    await Deno.remove(this.dir);
  }
}
