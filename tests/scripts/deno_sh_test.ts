import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { writeProgram } from "../sys/write_program.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/deno.sh", import.meta.url));

/** A program that answers --version like Deno, and otherwise prints who it is and its arguments. */
const fakeDeno = (version: string, who: string) =>
  `#!/bin/sh\nif [ "$1" = --version ]; then echo "deno ${version} (stable)"; else echo "${who}: $*"; fi\n`;

/** A program that installs a fake Deno where npm would put the real one. */
const fakeNpm = `#!/bin/sh
printf '%s\\n' "$*" >"$0.called"
for cpu in x64 arm64; do
  mkdir -p "$3/node_modules/@deno/linux-$cpu-glibc"
  printf '%s' "$FAKE_DENO" >"$3/node_modules/@deno/linux-$cpu-glibc/deno"
done
`;

/** Runs a copy of the script in an otherwise empty project, on a PATH with these programs and the system's tools. */
async function run(programs: Readonly<Record<string, string>>): Promise<{ code: number; output: string; npm: string }> {
  const top = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${top}/project/scripts`, { recursive: true });
    await Deno.mkdir(`${top}/bin`);
    await Deno.copyFile(SCRIPT, `${top}/project/scripts/deno.sh`);
    for (const tool of ["sh", "sed", "dirname", "uname", "mkdir", "chmod", "cat"]) {
      await Deno.symlink(`/bin/${tool}`, `${top}/bin/${tool}`);
    }
    for (const [name, source] of Object.entries(programs)) {
      await writeProgram(`${top}/bin/${name}`, source);
    }
    const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
      args: [`${top}/project/scripts/deno.sh`, "task", "a b"],
      clearEnv: true,
      env: { PATH: `${top}/bin`, FAKE_DENO: fakeDeno("2.7.11", "from npm") },
    }).output();
    const npm = await Deno.readTextFile(`${top}/bin/npm.called`).catch(() => "");
    return { code, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr), npm };
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

Deno.test("deno.sh takes a Deno on PATH that is new enough", async () => {
  for (const version of ["2.7.0", "2.12.3", "3.0.0"]) {
    const { code, output, npm } = await run({ deno: fakeDeno(version, "on PATH"), npm: fakeNpm });
    assert.deepEqual({ code, output, npm }, { code: 0, output: "on PATH: task a b\n", npm: "" }, version);
  }
});

Deno.test("deno.sh installs its own from npm when there is none, or only an old one", async () => {
  for (const programs of [{}, { deno: fakeDeno("2.6.9", "too old") }, { deno: fakeDeno("1.46.0", "too old") }]) {
    const { code, output, npm } = await run({ ...programs, npm: fakeNpm });
    assert.equal(code, 0, output);
    assert.match(output, /from npm: task a b\n/);
    assert.match(npm, /install --prefix \S+\/project\/\.deno .*deno@2\.7\.11/);
  }
});

Deno.test("deno.sh says what to install when nothing brings a Deno", async () => {
  const { code, output } = await run({});
  assert.equal(code, 1);
  assert.match(output, /install npm or curl/);
});
