/** Defines a job: a task in words, a generated fixture, and a check of the outcome. @module */

/** Where a job is done. */
export interface JobPlace {
  /** The only folder of the server. */
  readonly root: string;
  /** Home of the person whose machine it is. */
  readonly home: string;
  /** The environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** Chooses the fixture: names, numbers and places differ between seeds, the task and the kind of work do not. */
  readonly seed: number;
  /** Facts that the fixture leaves for the check: ids of processes, hashes. */
  readonly facts: Record<string, string>;
}

/** One job. */
export interface Job {
  readonly name: string;
  /** What a person would say. */
  readonly task: string;
  /** Makes the files, and starts what has to run. */
  prepare(place: JobPlace): Promise<void>;
  /** What is wrong with the outcome, in words; empty when the job is done. @param answer What the model told the person. */
  check(place: JobPlace, answer: string): Promise<string[]>;
  /** Ends what {@link prepare} started. */
  clean?(place: JobPlace): Promise<void>;
}

/** One of several variants, the same for the same seed; `salt` keeps choices of one fixture independent. */
export function choose<T>({ seed }: JobPlace, salt: number, variants: readonly [T, ...T[]]): T {
  const mixed = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  return variants[((mixed ^ (mixed >>> 15)) >>> 0) % variants.length] ?? variants[0];
}

/** An integer from `least` to `most`, the same for the same seed. */
export function chooseNumber(place: JobPlace, salt: number, least: number, most: number): number {
  const [first = least, ...others] = Array.from({ length: most - least + 1 }, (_, index) => least + index);
  return choose(place, salt, [first, ...others]);
}

/** Writes files below a folder, with their folders. */
export async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const full = `${root}/${path}`;
    await Deno.mkdir(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(full, text);
  }
}

/** What a program printed, and how it ended. */
export interface Ran {
  readonly code: number;
  readonly text: string;
}

/** Runs a program of the check, outside of every server. */
export async function run({ root, env }: JobPlace, program: string, ...args: readonly string[]): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd: root, env: { ...env } })
    .output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** A file's text; empty when it is not there. */
export async function readText({ root }: JobPlace, path: string): Promise<string> {
  return await Deno.readTextFile(`${root}/${path}`).catch(() => "");
}

/** Paths of all regular files below a folder, sorted; without those of git. */
export async function filesBelow(root: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isFile, isDirectory } of Deno.readDir(`${root}/${below}`)) {
    if (name === ".git") continue;
    if (isFile) found.push(below + name);
    if (isDirectory) found.push(...await filesBelow(root, `${below}${name}/`));
  }
  return found.sort();
}

/** A hash over the names and contents of files. */
export async function digestFiles(place: JobPlace, paths: readonly string[]): Promise<string> {
  const texts = await Promise.all(paths.map(async (path) => `${path}\0${await readText(place, path)}\0`));
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(texts.join("")));
  return new Uint8Array(hash).toHex();
}

/** What is missing of an answer. @param wanted What it must say, by what that is. */
export function missingIn(answer: string, wanted: Readonly<Record<string, string | RegExp>>): string[] {
  return Object.entries(wanted).flatMap(([what, sign]) => {
    const isThere = typeof sign === "string" ? answer.includes(sign) : sign.test(answer);
    return isThere ? [] : [`the answer does not name ${what}`];
  });
}
