/** A second list of every option of the rules, which detects a lost row or option. @module */
import assert from "node:assert/strict";
import { RULES } from "../../../src/exec/policy/rules.ts";
import { strictGate, type TestGate } from "./gate_support.ts";

/** What becomes of an option: `path` is checked at every level, `confined, path` also where the kernel holds. */
type Kind = "refuse" | "confined" | "path" | "program" | "confined, path";

/** Program (and sub-command), kind, options; after `←` the value with which they are tried. */
const OPTIONS = `
rg | refuse | --pre --hostname-bin
rg | confined | -z --search-zip -L --follow
rg | path | -f --file --ignore-file
grep | path | -f --file --exclude-from
grep | confined | -R --dereference-recursive
fd | confined | -L --follow
fd | program | -x --exec -X --exec-batch
jq | path | -f --from-file -L
find | confined | -delete -L -follow
find | confined, path | -fprint -fprint0 -fprintf -fls
find | path | -files0-from -newer -anewer -cnewer -samefile
sort | refuse | --compress-program
sort | confined, path | -o --output -T --temporary-directory
sort | confined, path | --files0-from ← =
wc | confined, path | --files0-from ← =
du | confined, path | --files0-from ← =
du | confined | -L --dereference
du | path | -X --exclude-from
tree | confined, path | -o
tree | confined | -R -l
ls | confined | -L --dereference -H --dereference-command-line
stat | confined | -L --dereference
file | path | -f --files-from -m --magic-file
file | confined | -C --compile -z -Z --uncompress --uncompress-noreport
diff | path | -X --exclude-from --from-file --to-file
diff | confined | -l --paginate
date | path | -f --file -r --reference
date | confined | -s --set
split | refuse | --filter
sed | confined | -i --in-place
sed | confined, path | -f --file
awk | refuse | -l --load -D --debug
awk | confined, path | -f --file -E --exec -i --include
tar | refuse | --to-command --rsh-command --rmt-command -F --info-script --new-volume-script
tar | refuse | --checkpoint-action ← exec=id
tar | refuse | --checkpoint-action ← totals
tar | refuse | --checkpoint-action ← dot,exec=id
tar | refuse | -f --file ← host:a.tar
tar | program | -I --use-compress-program
tar | confined | -P --absolute-names
tar | path | -C --directory -X --exclude-from -T --files-from
zip | refuse | -T --test -TT --unzip-command
make | confined | --eval -E
make | confined, path | -C --directory -f --file --makefile -I --include-dir
git | refuse | --exec-path ← =x
git | refuse | --config-env
git | path | -C --git-dir --work-tree
git log | refuse | --upload-pack --receive-pack --ext-diff
git log | confined | --textconv
git log | confined, path | --output --template --reference
git grep | refuse | -O --open-files-in-pager
git clone | refuse | -u
git push | refuse | --exec
git archive | refuse | --exec
git diff | confined | --no-index
curl | confined | -o --output -O --remote-name -K --config -T --upload-file -F --form
curl | refuse | --unix-socket --abstract-unix-socket
wget | confined | -O --output-document -i --input-file --config -e --execute
wget | refuse | --use-askpass
ssh | refuse | -o -F -P ← ProxyCommand=id
ssh | refuse | -o -F -P ← Include=x
ssh | refuse | -o -F -P ← Match=x
ssh | refuse | -o -F -P ← ./config
ssh | refuse | -o -F -P ← /root/config
scp | refuse | -S -o -F
sftp | refuse | -S -o -F -D
rsync | refuse | -e --rsh --rsync-path
docker | refuse | -v --volume --mount --privileged --device --pid --cap-add --volumes-from -H --host
systemctl | refuse | -H --host -M --machine
journalctl | confined, path | -D
journalctl | confined, path | --directory --file --root --image ← =
man | refuse | -P --pager -H --html -X --gxditview
gdb | refuse | -ex --eval-command -x --command -iex
`.trim().split("\n").map((line) => {
  const [program = "", kind = "", rest = ""] = line.split(" | ");
  const [options = "", value] = rest.split(" ← ");
  return { program, kind: kindOf(kind), options: options.split(" "), value };
});

/** Operands that a rule is about, each with one that is none of its business. */
const OPERANDS = [
  ["uniq a.txt out.txt", "confined", "uniq a.txt"],
  ["xxd a.txt out.bin", "confined", "xxd a.txt"],
  ...["clone", "fetch", "pull", "push", "ls-remote", "remote", "submodule", "archive", "fetch-pack", "send-pack"].map((
    name,
  ) => [`git ${name} ext::id`, "refuse", `git ${name} origin`] as const),
  ["jq --rawfile x /root/x .", "path", "jq --rawfile x a.txt ."],
  ["jq . --slurpfile x /root/x", "path", "jq . --slurpfile x a.txt"],
  ["curl file:///etc/passwd", "confined", "curl profile:x"],
  ["curl FILE:///etc/passwd", "confined", "curl http://x/file:"],
  ...["edit", "link", "set-property", "import-environment", "set-environment"].map((name) =>
    [`systemctl ${name} x`, "refuse", `systemctl status ${name}-x`] as const
  ),
] as const;

/** Options like those of a rule that are no business of it. */
const HARMLESS = [
  "tar -f a:b/c.tar -t".replace("a:b/", "./a:"),
  "tar --checkpoint-action=dot -cf a.tar src",
  "ssh -o Port=22 host",
  "git --exec-path",
  "git --version",
  "tar --checkpoint -cf a.tar src",
];

const OUTSIDE = "/root/x";

function kindOf(text: string): Kind {
  const kinds: readonly Kind[] = ["refuse", "confined", "path", "program", "confined, path"];
  const kind = kinds.find((each) => each === text);
  if (kind === undefined) throw new Error(`no kind: ${text}`);
  return kind;
}

/** One gate where the kernel holds programs, one where nothing does. */
async function bothGates(program: string): Promise<{ confined: TestGate; bare: TestGate } & AsyncDisposable> {
  const confined = await strictGate({ more: [program] });
  const bare = await strictGate({ more: [program], level: "none", confinement: "best_effort" });
  const dispose = async () => {
    await confined[Symbol.asyncDispose]();
    await bare[Symbol.asyncDispose]();
  };
  return { confined, bare, [Symbol.asyncDispose]: dispose };
}

async function assertKind(
  kind: Kind,
  argv: readonly string[],
  { confined, bare }: Awaited<ReturnType<typeof bothGates>>,
) {
  const isUnheld = async () => assert.match((await bare.refuses({ argv })).message, /nothing confines/, argv.join(" "));
  switch (kind) {
    case "refuse":
    case "program":
      await confined.refuses({ argv });
      await bare.refuses({ argv });
      return;
    case "path":
      await confined.refuses({ argv }, "INVALID_PATH");
      await bare.refuses({ argv }, "INVALID_PATH");
      return;
    case "confined":
      await confined.admit({ argv });
      return await isUnheld();
    case "confined, path":
      await confined.refuses({ argv }, "INVALID_PATH");
      await isUnheld();
  }
}

for (const [name, rows] of Map.groupBy(OPTIONS, ({ program }) => program)) {
  Deno.test(`options of ${name} are held by their rules`, async () => {
    const [program = "", subcommand] = name.split(" ");
    await using gates = await bothGates(program);
    for (const { kind, options, value } of rows) {
      for (const option of options) {
        const given = value ?? (kind.endsWith("path") ? OUTSIDE : kind === "program" ? "nc" : "x");
        const words = given === "="
          ? [`${option}=${OUTSIDE}`]
          : given.startsWith("=")
          ? [option + given]
          : [option, given];
        await assertKind(kind, [program, ...subcommand === undefined ? [] : [subcommand], ...words], gates);
      }
    }
  });
}

Deno.test("operands that a rule is about are held by it, and others are not", async () => {
  for (const [line, kind, harmless] of OPERANDS) {
    await using gates = await bothGates(line.split(" ")[0] ?? "");
    await assertKind(kind, line.split(" "), gates);
    for (const gate of [gates.confined, gates.bare]) await gate.admit({ argv: harmless.split(" ") });
  }
});

Deno.test("options that only look like those of a rule are admitted", async () => {
  for (const line of HARMLESS) {
    await using gates = await bothGates(line.split(" ")[0] ?? "");
    for (const gate of [gates.confined, gates.bare]) await gate.admit({ argv: line.split(" ") });
  }
});

Deno.test("no rule is about an option that is not tried here", () => {
  const tried = new Set(OPTIONS.flatMap(({ program, options }) => options.map((option) => `${program} ${option}`)));
  const missing = RULES.flatMap(({ program, options = [] }) => options.map((option) => `${program} ${option}`))
    .map((name) => name.replace("git * ", "git log ")).filter((name) => !tried.has(name));
  assert.deepEqual(missing, []);
});
