import assert from "node:assert/strict";
import { makeRandom, type Random } from "../../support/random.ts";
import { tempTree } from "../../support/temp_tree.ts";
import { writeProgram } from "../../sys/write_program.ts";
import { testGate } from "./gate_support.ts";

/** The word that stands for a program that nobody allowed; in the test it is a script that leaves a mark. */
const FORBIDDEN = "zz";
/** Forms in which it is hidden in ordinary lines. */
const HIDINGS = [
  ` zz `,
  "zz",
  "\nzz\n",
  ";zz;",
  "$(zz)",
  "`zz`",
  "|zz",
  "&zz ",
  "zz;",
  "(zz)",
  "\tzz\t",
  "<(zz)",
  "'\nzz\n'",
  '"$(zz)"',
]
  .concat([
    "\\\nzz ",
    "#\nzz\n",
    " #'\nzz\n#'",
    ">o zz",
    "<<<x zz",
    "\n\\\nzz\n",
    "=$(zz)",
    "]zz",
    "}zz",
    ")zz",
    "$\nzz\n",
    "2>&1 zz",
  ]);
/** What else is thrown in. */
const NOISE = [
  "'",
  '"',
  "\\",
  "\n",
  ";",
  "&",
  "|",
  "(",
  ")",
  "{ ",
  "; }",
  "$(",
  "`",
  "<<E\n",
  "\nE\n",
  "#",
  "$'",
  "[[ ",
  " ]]",
  "((",
  "))",
  "$",
]
  .concat([
    "x=",
    "${x:-",
    "}",
    "[",
    "]",
    "! ",
    "eval ",
    "exec ",
    " ",
    "\t",
    "&&",
    "<",
    ">o",
    "*",
    "@(",
    "\\\n",
    "\r\n",
    "<>",
    "&>",
    "time ",
  ]);
/** Programs that do what they are told; the others are stubs. */
const REAL = ["bash", "sh", "cat", "env", "find", "xargs", "echo"];
const STUBS = [
  "ls",
  "wc",
  "grep",
  "git",
  "sort",
  "head",
  "tail",
  "sed",
  "awk",
  "tar",
  "ps",
  "date",
  "python3",
  "node",
  "diff",
  "rg",
  "du",
  "file",
  "uname",
  "make",
];

const LINES = Deno.readTextFileSync(new URL("everyday_commands.txt", import.meta.url)).trim().split("\n")
  .filter((line) => !/\/tmp|kill|sleep|http/.test(line))
  .concat([
    "cat <<EOF\nx\nEOF\necho a",
    "f() {\n echo a\n}\nf b",
    "if [ -f a ]; then\n echo\nelse\n echo b\nfi",
    "case x in\n a) echo;;\n *) echo b;;\nesac",
  ]);

function insert(text: string, piece: string, at: number): string {
  return text.slice(0, at) + piece + text.slice(at);
}

function makeLine(random: Random): string {
  let line = random.pick(LINES);
  if (random.chance(0.3)) line += random.pick(["\n", "; ", " | ", " && "]) + random.pick(LINES);
  for (let count = random.below(3); count > 0; count--) {
    line = insert(line, random.pick(NOISE), random.below(line.length + 1));
  }
  return insert(line, random.pick(HIDINGS), random.below(line.length + 1));
}

Deno.test("whatever the gate admits, bash starts nothing that is not allowed (4,000 mutated lines)", async () => {
  await using test = await testGate({ programs: [...REAL, ...STUBS] });
  await using tree = await tempTree({ "work/": "", "bin/": "" });
  const mark = tree.path("mark");
  await writeProgram(tree.path(`bin/${FORBIDDEN}`), `#!/bin/sh\n: > ${mark}\n`);
  for (const name of REAL) await Deno.symlink(`/usr/bin/${name}`, tree.path(`bin/${name}`));
  for (const name of STUBS) await Deno.symlink("/usr/bin/true", tree.path(`bin/${name}`));
  const run = (program: string, args: readonly string[], mostSeconds: number) =>
    new Deno.Command("/usr/bin/timeout", {
      args: ["-s", "KILL", `${mostSeconds}`, tree.path(`bin/${program}`), ...args],
      cwd: tree.path("work"),
      clearEnv: true,
      env: { PATH: tree.path("bin") },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
  const started = async (program: string, args: readonly string[], mostSeconds = 2): Promise<boolean> => {
    await run(program, args, mostSeconds);
    return await Deno.remove(mark).then(() => true, () => false);
  };

  assert.ok(await started("bash", ["-c", FORBIDDEN], 60), "the mark proves nothing");
  const random = makeRandom(20251201);
  const bypasses: string[] = [];
  let admitted = 0;
  for (let round = 0; round < 4_000; round++) {
    const line = makeLine(random);
    const admission = await test.admit({ command: line }).catch(() => null);
    if (admission === null) continue;
    admitted++;
    if (await started(admission.program, admission.args)) bypasses.push(line);
  }
  assert.deepEqual(bypasses, []);
  assert.ok(admitted > 200, `only ${admitted} lines were admitted`);
});
