/** Process that repeatedly swaps a folder with a symbolic link, to win races against path checks. @module */

const HERE = new URL(".", import.meta.url).pathname;

/** A way to exchange names on this machine. */
export interface Flipper extends AsyncDisposable {
  /** What it is written in. */
  readonly language: "C" | "Python";
  /** Begins to exchange two names, and to count what is opened in a folder that exists. */
  start(first: string, second: string, pauseUs: number, watched: string): Promise<Flipping>;
}

/** Names being exchanged. */
export interface Flipping {
  /** Ends it, with both names where they began. Answers how often they were exchanged and what was opened. */
  stop(): Promise<{ readonly swaps: number; readonly opened: number }>;
}

/** Builds the program with the C compiler, or takes its slower twin. @throws Error without a compiler and Python */
export async function makeFlipper(): Promise<Flipper> {
  const dir = await Deno.makeTempDir({ prefix: "llmc-flipper-" });
  const program = `${dir}/flipper`;
  const isBuilt = await compileC(`${HERE}flipper.c`, program);
  return {
    language: isBuilt ? "C" : "Python",
    start: (first, second, pauseUs, watched) => {
      const args = [first, second, `${pauseUs}`, watched];
      return isBuilt ? flip(program, args) : flip("python3", [`${HERE}flipper.py`, ...args]);
    },
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

/** Compiles one file; false without a compiler. @throws Error when there is one and it refuses the file */
export function compileC(source: string, target: string, options: readonly string[] = []): Promise<boolean> {
  return withCompiler(["-O2", "-Wall", "-o", target, source, ...options]);
}

/** Whether C can be compiled on this machine. */
export function hasCompiler(): Promise<boolean> {
  return withCompiler(["--version"]);
}

/** Starts the first compiler that is installed; false without one. */
async function withCompiler(args: readonly string[]): Promise<boolean> {
  for (const compiler of ["cc", "gcc", "clang"]) {
    try {
      const { success, stderr } = await new Deno.Command(compiler, { args: [...args], stdin: "null" }).output();
      if (!success) throw new Error(`${compiler}: ${new TextDecoder().decode(stderr)}`);
      return true;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return false;
}

async function flip(program: string, args: readonly string[]): Promise<Flipping> {
  const child = new Deno.Command(program, { args: [...args], stdin: "null", stdout: "piped", stderr: "inherit" })
    .spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let output = "";
  while (!output.includes("ready\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the program that exchanges names did not start");
    output += value;
  }
  return {
    async stop() {
      child.kill("SIGTERM");
      for (let next = await reader.read(); !next.done; next = await reader.read()) output += next.value;
      const { success } = await child.status;
      if (!success) throw new Error("the program that exchanges names failed");
      const [swaps = Number.NaN, opened = Number.NaN] = (output.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
      return { swaps, opened };
    },
  };
}
