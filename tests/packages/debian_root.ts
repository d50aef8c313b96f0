/** A bare Debian system in a folder, and programs that run in it as if it were the machine. @module */
import type { Finished } from "../support/binary.ts";

const ENV = { HOME: "/root", PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" };

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
exec env -i "$@"`;

/** How to start something in the root: for `Deno.Command`, or for a client that starts a server. */
export interface Invocation {
  readonly command: string;
  readonly args: string[];
}

/** A copy of the bare system, removed when it is disposed of. */
export class DebianRoot implements AsyncDisposable {
  private constructor(readonly dir: string) {}

  /** Unpacks a fresh system. @param base Archive of it; the test verb makes one and says where. */
  static async make(base = Deno.env.get("LLMC_DEBIAN_BASE") ?? ""): Promise<DebianRoot> {
    const dir = await Deno.makeTempDir({ prefix: "llmc-debian-" });
    await Deno.chmod(dir, 0o755); // it becomes "/", where everyone may go
    const { success } = await new Deno.Command("tar", { args: ["-xf", base, "-C", dir] }).output();
    if (!success) throw new Error(`cannot unpack ${base}`);
    return new DebianRoot(dir);
  }

  /** A command in the root, by root or by a user of the root. */
  invocation(command: readonly string[], user?: string): Invocation {
    const env = { ...ENV, DEBIAN_FRONTEND: "noninteractive", ...user === undefined ? {} : { HOME: `/home/${user}` } };
    const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const as = user === undefined ? [] : ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--init-groups"];
    const args = ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", this.dir];
    return { command: "unshare", args: [...args, ...assignments, ...as, ...command] };
  }

  /** Runs a command to its end. */
  async run(command: readonly string[], user?: string): Promise<Finished> {
    const { command: program, args } = this.invocation(command, user);
    const { code, stdout, stderr } = await new Deno.Command(program, { args, stdin: "null" }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  /** Runs lines of shell as root and returns what they print. @throws Error when one fails */
  async sh(lines: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(["sh", "-ec", lines]);
    if (code !== 0) throw new Error(`ended with ${code}: ${lines}\n${stdout}${stderr}`);
    return stdout;
  }

  /** Puts a file of this machine into the root. */
  async bring(from: string, to: string): Promise<void> {
    await Deno.copyFile(from, `${this.dir}${to}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // By the system's program, because files of the root may be closed even to the one who removes them.
    await new Deno.Command("rm", { args: ["-rf", "--one-file-system", this.dir] }).output();
  }
}
