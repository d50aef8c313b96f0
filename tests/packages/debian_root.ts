/** A bare Debian system in a folder, and programs that run in it as on a real machine. @module */
import { type Invocation, SystemRoot } from "./system_root.ts";

/**
 * Makes the folder the root of a mount namespace of its own, which bubblewrap needs where a chroot is not enough, and of
 * a process namespace, so that nothing outlives the command.
 */
const ENTER = `set -e
root=$1; shift
mount --make-rprivate /
mount --rbind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
cd "$root"
mkdir -p .outside
pivot_root . .outside
umount -l /.outside
exec "$@"`;

/** A copy of the bare system, removed when it is disposed of. */
export class DebianRoot extends SystemRoot {
  private constructor(readonly dir: string) {
    super();
  }

  /** Unpacks a fresh system. @param base Archive of it; the test verb makes one and says where. */
  static async make(base = Deno.env.get("LLMC_DEBIAN_BASE") ?? ""): Promise<DebianRoot> {
    const dir = await Deno.makeTempDir({ prefix: "llmc-debian-" });
    await Deno.chmod(dir, 0o755); // it becomes "/", where everyone may go
    const { success } = await new Deno.Command("tar", { args: ["-xf", base, "-C", dir] }).output();
    if (!success) throw new Error(`cannot unpack ${base}`);
    return new DebianRoot(dir);
  }

  protected entrance(): Invocation {
    const args = ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", this.dir];
    return { command: "unshare", args };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // By the system's program, because files of the root may be closed even to the one who removes them.
    await new Deno.Command("rm", { args: ["-rf", "--one-file-system", this.dir] }).output();
  }
}
