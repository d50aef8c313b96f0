import { testGate } from "./gate_support.ts";

/** What agents type every day. None of it may be refused where the kernel confines programs. */
const EVERYDAY = Deno.readTextFileSync(new URL("everyday_commands.txt", import.meta.url)).trim().split("\n");

for (const command of EVERYDAY) {
  Deno.test(`not refused: ${command}`, async () => {
    await using test = await testGate({ more: ["xargs", "sleep"] });
    await test.admits(command);
  });
}

const SCRIPTS = {
  "a here-document with tabs": "cat <<-EOF\n\tone\n\tEOF\n",
  "a quoted here-document": 'cat > x.sh <<"EOF"\n#!/bin/bash\nsudo rm -rf / && $(id)\nEOF\nls',
  "a script with comments": "#!/bin/bash\n# sudo is not used\nset -e\nls # sudo\n",
  "a long pipeline":
    'git ls-files |\n  grep -v test |\n  while read -r f; do\n    wc -l "$f"\n  done |\n  sort -n |\n  tail -5',
  "functions and a main":
    'log() { echo "[$(date)] $*" >&2; }\nmain() {\n  local n=${1:-3}\n  for i in $(echo 1 2 3); do log "$i"; done\n  return 0\n}\nmain "$@"',
  "continued lines": "ls \\\n  -l \\\n  src",
  "a case over several lines": "case $(uname) in\n  Linux) echo l ;;\n  *) echo o ;;\nesac",
  "an if with else-if": "if [ -f a ]; then\n  ls\nelif [ -d b ]; then\n  pwd\nelse\n  echo\nfi",
  "nested substitutions": 'echo "$(basename "$(git rev-parse --show-toplevel)")"',
};

for (const [name, command] of Object.entries(SCRIPTS)) {
  Deno.test(`not refused: ${name}`, async () => {
    await using test = await testGate({ more: ["basename"] });
    await test.admits(command);
  });
}
