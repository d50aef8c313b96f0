/** A second list of the policy's knowledge of programs, which detects lost entries. @module */
import assert from "node:assert/strict";
import { strictGate } from "./gate_support.ts";

/** Programs whose operands are files, and those of their options that take a value, as far as no rule is about them. */
const WITH_PATHS = `
cat | read |
tac | read | -s
nl | read | -b -d -f -h -i -l -n -s -v -w
head | read | -c -n --lines --bytes
tail | read | -c -n -s --lines --bytes --sleep-interval --pid
wc | read |
cut | read | -b -c -d -f --bytes --characters --delimiter --fields
paste | read | -d
join | read | -1 -2 -a -e -i -j -o -t -v
comm | read |
fold | read | -w
expand | read | -t
unexpand | read | -t
column | read | -c -o -s -t -N -R -H -O -W -T -E -C
rev | read |
sort | read | -k -t -S --key --field-separator --buffer-size --parallel
uniq | read | -f -s -w
diff | read | -C -U -F -I -S -x -L -W --label --exclude
cmp | read | -i -n
file | read | -e -F -P
stat | read | -c --format --printf
ls | read | -I -w -T --ignore --hide --width --tabsize --block-size
tree | read | -L -P -I -H -T
du | read | -B -d -t --max-depth --exclude --threshold
find | read | -name -path -newermt
readlink | read |
realpath | read |
md5sum | read |
sha1sum | read |
sha256sum | read |
sha512sum | read |
b2sum | read | -l
cksum | read | -a -l
base64 | read | -w
od | read | -A -j -N -t -w
xxd | read | -c -g -l -o -s
hexdump | read | -e -f -n -s
strings | read | -n -e -t -T
tee | code |
cp | code | -S -t
mv | code | -S -t
ln | code | -S -t
install | code | -S -g -m -o -t
rm | code |
rmdir | code |
mkdir | code | -m -Z
touch | code | -d -r -t
truncate | code | -r -s
patch | code | -B -D -F -V -Y -d -g -i -o -p -r -z
`;

/** The same where the first operand is a pattern, unless an option after `or` gave it. */
const WITH_PATTERN = `
grep | -A -B -C -D -d -m --include --exclude --exclude-dir --max-count --context --after-context --before-context --label --binary-files or -e --regexp
rg | -A -B -C -E -M -T -d -g -j -m -r -t --glob --iglob --type --type-not --type-add --max-depth --pre-glob --max-count --context --replace --sort --after-context --before-context --threads --encoding --max-columns --max-filesize --engine --color --colors --sortr --path-separator --dfa-size-limit or -e --regexp
fd | -C -E -S -T -c -d -e -j -t or
jq | --indent or
sed | -l --line-length or -e --expression
`;

/** Programs that only read and have no operands that are files. */
const READS_NO_FILES =
  "df ps date uname id whoami uptime free nproc arch lscpu lsblk which echo printf true false test expr seq tr basename dirname sleep pwd env printenv numfmt";

/** Programs that may do anything, and whose operands nobody understands. */
const CODE =
  "split dd awk tar make zip curl wget ssh scp sftp rsync docker journalctl systemctl man gdb python3 no-such";

/** Letters that are the value of the option before them, although alone they are options that a rule refuses. */
const JOINED = [
  "split -a--filter src",
  "ssh -iFo host",
  "ssh -lP host",
  "scp -iSoF a b:",
  "sftp -iSoFD host",
  "rsync -Te a b",
  "docker -lv ps",
  "systemctl -tHM status",
  "man -LPHX ls",
  "tar -bF a.tar",
  "zip -bT a.zip",
];

/** The same for rules that hold only where nothing confines programs. */
const JOINED_BARE = [
  "curl -AoOKTF http://x",
  "curl -dKF http://x",
  "curl -HKF http://x",
  "wget -UOie http://x",
  "make -jE test",
  "journalctl -uD x",
  "awk -Ff 1",
  "awk -vif=1 1",
  "date -ds",
  "ps -os",
  "ls -IL",
  "tree -LoR",
  "du -dL",
  "file -Fz a.txt",
];

const rowsOf = (table: string) => table.trim().split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
const wordsOf = (text = "") => text.split(" ").filter((word) => word !== "");
const OUTSIDE = "/root/x";

Deno.test("programs whose operands are files have each of them checked, and no value of an option", async () => {
  const rows = rowsOf(WITH_PATHS);
  await using test = await strictGate({ more: rows.map(([name = ""]) => name) });
  for (const [name = "", kind, options] of rows) {
    const given = name === "mkdir" || name === "rm" ? "new" : "a.txt";
    assert.equal((await test.admit({ argv: [name, given] })).class, kind, name);
    for (const words of [[OUTSIDE], ["--", OUTSIDE], ["a.txt", "link"], ["~/x"]]) {
      await test.refuses({ argv: [name, ...words] }, "INVALID_PATH");
    }
    for (const option of wordsOf(options)) {
      const before = name === "find" ? ["."] : [];
      await test.admit({ argv: [name, ...before, option, OUTSIDE] });
      if (name !== "find") await test.refuses({ argv: [name, option, "x", OUTSIDE] }, "INVALID_PATH");
    }
  }
});

Deno.test("programs with a pattern have all other operands checked", async () => {
  const rows = rowsOf(WITH_PATTERN);
  await using test = await strictGate({ more: rows.map(([name = ""]) => name) });
  for (const [name = "", options = ""] of rows) {
    const [values, patterns] = options.split(/ or\b/);
    await test.admit({ argv: [name, "p", "a.txt"] });
    await test.refuses({ argv: [name, "p", OUTSIDE] }, "INVALID_PATH");
    await test.refuses({ argv: [name, "p", "a.txt", OUTSIDE] }, "INVALID_PATH");
    // A pattern may look like a path; a script of sed may not read one.
    const pattern = name === "sed" ? "p" : OUTSIDE;
    for (const option of wordsOf(values)) {
      await test.admit({ argv: [name, option, "1", pattern] });
      await test.refuses({ argv: [name, option, "1", "p", OUTSIDE] }, "INVALID_PATH");
    }
    for (const option of wordsOf(patterns)) {
      await test.admit({ argv: [name, option, pattern] });
      await test.refuses({ argv: [name, option, "p", OUTSIDE] }, "INVALID_PATH");
    }
  }
  await test.admit({ argv: ["grep", "--exclude", OUTSIDE, "p", "a.txt"] });
  await test.refuses({ argv: ["rg", "--files", OUTSIDE] }, "INVALID_PATH");
  await test.refuses({ argv: ["jq", "-f", "a.txt", OUTSIDE] }, "INVALID_PATH");
  await test.refuses({ argv: ["jq", "--from-file", "a.txt", OUTSIDE] }, "INVALID_PATH");
  for (const name of ["grep", "rg", "sed"]) {
    await test.refuses({ argv: [name, "-f", "a.txt", OUTSIDE] }, "INVALID_PATH");
    await test.refuses({ argv: [name, "--file", "a.txt", OUTSIDE] }, "INVALID_PATH");
  }
});

Deno.test("programs without files only read, and the others may do anything", async () => {
  const reads = wordsOf(READS_NO_FILES), codes = wordsOf(CODE);
  await using test = await strictGate({ more: [...reads, ...codes], allowUnsafe: true });
  for (const name of reads) assert.equal((await test.admit({ argv: [name] })).class, "read", name);
  for (const name of codes) assert.equal((await test.admit({ argv: [name, OUTSIDE] })).class, "code", name);
});

Deno.test("the value of an option may stand right behind it, whatever its letters are", async () => {
  const lines = [...JOINED, ...JOINED_BARE].map((line) => line.split(" "));
  const more = lines.map(([name = ""]) => name);
  await using confined = await strictGate({ more });
  await using bare = await strictGate({ more, level: "none", confinement: "best_effort" });
  for (const argv of lines) {
    await confined.admit({ argv });
    await bare.admit({ argv });
  }
});

Deno.test("names under which a program goes have its rules, and so has its file", async () => {
  const refused = {
    "egrep -f /root/x": "INVALID_PATH",
    "fgrep -f /root/x": "INVALID_PATH",
    "ripgrep --pre x": "COMMAND_NOT_ALLOWED",
    "fdfind -x nc": "COMMAND_NOT_ALLOWED",
    "gawk -l x": "COMMAND_NOT_ALLOWED",
    "mawk -l x": "COMMAND_NOT_ALLOWED",
    "nawk -l x": "COMMAND_NOT_ALLOWED",
    "original-awk -l x": "COMMAND_NOT_ALLOWED",
    "gsed -f /root/x": "INVALID_PATH",
    "gtar -F x": "COMMAND_NOT_ALLOWED",
    "bsdtar -F x": "COMMAND_NOT_ALLOWED",
    "gmake -C /root": "INVALID_PATH",
    "gfind . -fprint /root/x": "INVALID_PATH",
    "slogin -F /x": "COMMAND_NOT_ALLOWED",
    "podman --privileged": "COMMAND_NOT_ALLOWED",
    "nerdctl --privileged": "COMMAND_NOT_ALLOWED",
    "dir /root": "INVALID_PATH",
    "vdir /root": "INVALID_PATH",
    "sha224sum /root/x": "INVALID_PATH",
    "sha384sum /root/x": "INVALID_PATH",
  };
  const lines = Object.entries(refused).map(([line, code]) => ({ argv: line.split(" "), code }));
  const files = Object.fromEntries(lines.map(({ argv: [name = ""] }) => [`my-${name}`, `/usr/bin/${name}`]));
  await using test = await strictGate({
    more: [...lines.map(({ argv: [name = ""] }) => name), ...Object.keys(files), "my-gdb"],
    files: { ...files, "my-gdb": "/usr/bin/gdb" },
  });
  for (const { argv: [name = "", ...words], code } of lines) {
    await test.refuses({ argv: [name, ...words] }, code);
    await test.refuses({ argv: [`my-${name}`, ...words] }, code);
  }
  await test.refuses({ argv: ["my-gdb", "-x", "a"] });
});

Deno.test("tar's options may come without a dash, and its letters take their values in order", async () => {
  await using test = await strictGate({ more: ["tar"] });
  await test.admit({ argv: ["tar", "cfb", "a.tar", "20", "src"] });
  await test.refuses({ argv: ["tar", "fF", "a.tar", "x"] });
  await test.refuses({ argv: ["tar", "bCx", "1", OUTSIDE] }, "INVALID_PATH");
  await test.refuses({ argv: ["tar", "xfC", "a.tar", OUTSIDE] }, "INVALID_PATH");
  await test.admit({ argv: ["tar", "xCf", "src", "a.tar"] });
  await test.admit({ argv: ["tar", "--exclude=/root/x", "-cf", "a.tar", "src"] });
});

Deno.test("GNU programs take the beginning of a long option, and those that do not are not read so", async () => {
  await using test = await strictGate({ more: ["sort", "rg", "fd", "jq", "tar"] });
  await test.refuses({ argv: ["sort", "--compress-p", "x"] });
  await test.refuses({ argv: ["sort", "--comp=x"] });
  await test.refuses({ argv: ["tar", "--to-c", "x"] });
  for (const argv of [["rg", "--pr", "x"], ["fd", "--exe", "x"], ["jq", "--from", "p"]]) await test.admit({ argv });
});

Deno.test("options after the first operand of awk are the program's own", async () => {
  await using test = await strictGate({ more: ["awk"] });
  await test.admit({ argv: ["awk", "1", "-l", "x"] });
  await test.refuses({ argv: ["awk", "-l", "x", "1"] });
  for (const option of ["-F", "-v", "-o", "-L", "--field-separator", "--assign"]) {
    await test.admit({ argv: ["awk", option, "-l", "1"] });
  }
  await test.refuses({ argv: ["awk", "--source", 'BEGIN { system("id") }'] });
  await test.refuses({ argv: ["awk", "-e", 'BEGIN { system("id") }'] });
});

Deno.test("what dd reads and writes is looked at", async () => {
  await using test = await strictGate({ more: ["dd"], allowUnsafe: true });
  await test.admit({ argv: ["dd", "if=a.txt", "of=new.txt", "bs=/root"] });
  for (const word of ["if=/root/x", "of=/root/x", "if=../outside/secret"]) {
    await test.refuses({ argv: ["dd", word] }, "INVALID_PATH");
  }
});
