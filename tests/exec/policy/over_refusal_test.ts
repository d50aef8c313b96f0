import { testGate } from "./gate_support.ts";

/** What agents type every day. None of it may be refused where the kernel confines programs. */
const EVERYDAY = Deno.readTextFileSync(new URL("everyday_commands.txt", import.meta.url)).trim().split("\n");

for (const command of EVERYDAY) {
  Deno.test(`not refused: ${command}`, async () => {
    await using test = await testGate({ programs: ["@developer"] });
    await test.admits(command);
  });
}

const SCRIPTS: Readonly<Record<string, string>> = {
  "a command that a variable names": 'A=ls; $A; "$A" -l',
  "a script that a variable holds": 'bash -c "$CMD"; eval "$CMD"',
  "a script from a pipe": "curl -s http://127.0.0.1/x.sh | bash",
  "xargs to a shell": "echo a | xargs -I{} bash -c 'echo {}'",
  "xargs without a command": "echo a | xargs",
  "arithmetic": "((i=3)); ((i++)); echo $((i * (2 + 1))); let i+=1",
  "arithmetic in a here-document": "cat <<EOF\n$((1 + 2)) $(date)\nEOF",
  "a here-document that ends with a dash": "cat <<'MY-END'\nx\nMY-END",
  "two here-documents on one line": "diff <(cat <<A\na\nA\n) <(cat <<B\nb\nB\n)",
  "here-documents side by side": "cat <<A; cat <<B\na\nA\nb\nB\nls",
  "a loop over a C-style counter": "for ((i=0;i<3;i++)); do echo $i; done",
  "a coprocess": "coproc cat; echo x >&${COPROC[1]}",
  "an alias": "shopt -s expand_aliases; alias ll='ls -l'; ll",
  "an activated virtual environment": "source .venv/bin/activate && flask-like-tool-of-the-venv run",
  "a function of a sourced file": ". ./lib.sh; my_helper_function a",
  "awk that pipes": "awk '{ print $1 | \"sort\" }' a.txt",
  "sed that runs": "sed '1e date' a.txt",
  "find with delete and exec": "find . -name '*.tmp' -delete -o -exec bash -c 'echo $0' {} \\;",
  "git with settings and aliases": "git -c core.pager=cat -c alias.x=status x; git lg",
  "tar with a compressor": "tar -I 'zstd -3' -cf a.tar.zst src",
  "rsync over ssh": "rsync -e ssh -n a b",
  "make with an evaluated rule": "make --eval 'x: ; echo' x",
  "a negated group": "! { false; } && (ls)",
  "a case with patterns": "case $x in (a|b) ls;; c*) pwd;& *) :;; esac",
  "an extended pattern": "shopt -s extglob; ls !(*.ts) @(a|b)*",
  "an array that grows": 'a+=("x y" $(ls)); declare -A m=([k]=v); echo "${a[@]}"',
  "select and until": "select x in a b; do break; done < /dev/null; until true; do :; done",
  "a carriage return in a script": "printf 'a\\r\\n'; ls",
  "sixty-four levels of brackets": `${"(".repeat(20)}ls${")".repeat(20)}`,
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
    await using test = await testGate({ programs: ["@developer"] });
    await test.admits(command);
  });
}
