/** Runs programs in another root as on a real machine, for every kind of root. @module */
import type { Finished } from "../support/binary.ts";

const ENV = { HOME: "/root", PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" };

/**
 * The first process of the namespace stays root's own: the kernel forgets to end a process together with its parent when
 * that process becomes another user. With the first one all others go.
 */
const FIRST = '"$@"; exit $?';

/** How to start something in the root: for `Deno.Command`, or for a client that starts a server. */
export interface Invocation {
  readonly command: string;
  readonly args: string[];
}

/** A root that is there until it is disposed of. */
export abstract class SystemRoot implements AsyncDisposable {
  /** What stands before a command that is to run in it: a program, and its arguments. */
  protected abstract entrance(): Invocation;
  abstract [Symbol.asyncDispose](): Promise<void>;

  /** A command in the root, by root or by a user of the root. */
  invocation(command: readonly string[], user?: string): Invocation {
    const env = { ...ENV, DEBIAN_FRONTEND: "noninteractive", ...user === undefined ? {} : { HOME: `/home/${user}` } };
    const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const as = user === undefined ? [] : ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--init-groups"];
    const { command: program, args } = this.entrance();
    return {
      command: program,
      args: [...args, "sh", "-c", FIRST, "sh", "env", "-i", ...assignments, ...as, ...command],
    };
  }

  /** Runs a command to its end. */
  async run(command: readonly string[], user?: string): Promise<Finished> {
    return await this.#finish(command, new Blob([]).stream(), user);
  }

  /** Runs lines of shell as root and returns what they print. @throws Error when one fails */
  async sh(lines: string): Promise<string> {
    return succeeded(lines, await this.run(["sh", "-ec", lines]));
  }

  /** Writes a file of the root. */
  async write(path: string, content: string | ReadableStream<Uint8Array>): Promise<void> {
    const stream = typeof content === "string" ? new Blob([content]).stream() : content;
    succeeded(`write ${path}`, await this.#finish(["sh", "-ec", 'cat >"$1"', "sh", path], stream));
  }

  /** Puts a file of this machine into the root. */
  async bring(from: string, to: string): Promise<void> {
    await this.write(to, (await Deno.open(from)).readable);
  }

  async #finish(command: readonly string[], input: ReadableStream<Uint8Array>, user?: string): Promise<Finished> {
    const { command: program, args } = this.invocation(command, user);
    const child = new Deno.Command(program, { args, stdin: "piped", stdout: "piped", stderr: "piped" }).spawn();
    const feeding = input.pipeTo(child.stdin).catch(() => {}); // it may end without having read everything
    const { code, stdout, stderr } = await child.output();
    await feeding;
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }
}

function succeeded(what: string, { code, stdout, stderr }: Finished): string {
  if (code !== 0) throw new Error(`ended with ${code}: ${what}\n${stdout}${stderr}`);
  return stdout;
}
