import assert from "node:assert/strict";
import { quoteWord, splitCommand } from "../../src/core/argv.ts";
import { readScript } from "../../src/core/shell/script.ts";
import { makeRandom, type Random } from "../support/random.ts";

/** The first argument of a command. */
function wordOf(source: string) {
  const word = readScript(`p ${source}`).commands.find(({ nested }) => !nested)?.words[1];
  assert.ok(word, source);
  return word;
}

const plain = (line: string, ...words: string[]) => [line, words] as const;

for (
  const [line, words] of [
    plain("echo hi", "echo", "hi"),
    plain("  echo \t hi  \n", "echo", "hi"),
    plain("echo 'a;b' \"c|d\" e\\ f", "echo", "a;b", "c|d", "e f"),
    plain("grep 'a|b' x", "grep", "a|b", "x"),
    plain("git log --format='%h | %s'", "git", "log", "--format=%h | %s"),
    plain(`python3 -c 'print("a$b"); print(1 > 2)'`, "python3", "-c", `print("a$b"); print(1 > 2)`),
    plain("git show HEAD~1 HEAD^ HEAD@{1} a#b", "git", "show", "HEAD~1", "HEAD^", "HEAD@{1}", "a#b"),
    plain("find . -name '*.ts' -exec grep x {} +", "find", ".", "-name", "*.ts", "-exec", "grep", "x", "{}", "+"),
    plain("find . \\( -name a \\) -exec cat {} \\;", "find", ".", "(", "-name", "a", ")", "-exec", "cat", "{}", ";"),
    plain(`echo "a\\"b\\\\c\\d"`, "echo", `a"b\\c\\d`),
    plain("echo '' \"\" x", "echo", "", "", "x"),
    plain("echo 'two\nlines'", "echo", "two\nlines"),
    plain("ls \\\n -l", "ls", "-l"),
    plain("make CC=gcc", "make", "CC=gcc"),
    plain("echo a'b'\"c\"d", "echo", "abcd"),
    plain("'if' x", "if", "x"),
    plain("echo ünï 日本 \u00a0", "echo", "ünï", "日本", "\u00a0"),
    plain("echo a\\  ", "echo", "a "),
  ]
) {
  Deno.test(`splitCommand takes apart: ${JSON.stringify(line)}`, () => {
    assert.deepEqual(splitCommand(line), { kind: "plain", words });
  });
}

for (
  const [line, token] of [
    ["a; b", ";"],
    ["a & b", "&"],
    ["a && b", "&"],
    ["a | b", "|"],
    ["a < b", "<"],
    ["a > b", ">"],
    ["(a)", "("],
    ["a $b", "$"],
    ['a "$b"', "$"],
    ['a "`b`"', "`"],
    ["a `b`", "`"],
    ["a\nb", "\n"],
    ["ls *.ts", "*"],
    ["ls a?", "?"],
    ["ls [ab]", "["],
    ["ls ~", "~"],
    ["ls ~/x", "~"],
    ["ls # rest", "#"],
    ["FOO=1 ls", "FOO=1"],
    ["FOO+=1 ls", "FOO+=1"],
    ["if x", "if"],
    ["! ls", "!"],
    ["echo $'a'", "$"],
    ["echo {a,b}", "{a,b}"],
    ["echo x{1..3}y", "{1..3}"],
    ["echo {'a b',c}", "{'a b',c}"],
  ] as const
) {
  Deno.test(`splitCommand leaves to a shell: ${JSON.stringify(line)}`, () => {
    const split = splitCommand(line);
    assert.equal(split.kind, "shell");
    assert.equal(split.kind === "shell" && split.token, token);
  });
}

for (const line of ["", "  \n", "echo 'a", 'echo "a', "echo a\\", "echo a\0b", "echo a\rb"]) {
  Deno.test(`splitCommand refuses: ${JSON.stringify(line)}`, () => {
    assert.equal(splitCommand(line).kind, "broken");
  });
}

Deno.test("wordOf removes quotes, escapes and bash's $'…'", () => {
  for (
    const source of ["sudo", "su'do'", '"sudo"', "s\\udo", "$'sudo'", "s$'\\x75'do", "$'\\163udo'", "$'\\u0073udo'"]
  ) {
    assert.deepEqual(wordOf(source), { text: "sudo", literal: true, single: true }, source);
  }
});

Deno.test("wordOf keeps what stands before an expansion or a pattern", () => {
  assert.deepEqual(wordOf('--to-command="$X"'), { text: "--to-command=", literal: false, single: false });
  assert.deepEqual(wordOf("su*"), { text: "su", literal: false, single: false });
  assert.deepEqual(wordOf("a{b,c}"), { text: "a", literal: false, single: false });
  assert.deepEqual(wordOf("$X"), { text: "", literal: false, single: false });
});

Deno.test("wordOf knows which expansions stay one word", () => {
  for (const source of ['"$X"', '"a $X b"', '"$(ls)"', "x", "'a b'"]) assert.ok(wordOf(source).single, source);
  for (const source of ["$X", '"$X"$Y', '"$@"', '"${x[@]}"', "a$X", "*"]) {
    assert.ok(!wordOf(source).single, source);
  }
});

function randomText(random: Random, alphabet: readonly string[], most: number): string {
  return Array.from({ length: random.below(most) }, () => random.pick(alphabet)).join("");
}

const ALPHABET = [...` \t\n'"\\$\`;&|<>()*?[]{}~#!=,.-abCZ09üß日`];

Deno.test("quoteWord and splitCommand are inverse for 5,000 random argument lists", () => {
  const random = makeRandom(7);
  for (let round = 0; round < 5_000; round++) {
    const argv = ["p", ...Array.from({ length: 1 + round % 5 }, () => randomText(random, ALPHABET, 8))];
    assert.deepEqual(splitCommand(argv.map(quoteWord).join(" ")), { kind: "plain", words: argv });
  }
});

Deno.test("whatever splitCommand calls plain, bash splits into the same words (4,000 random lines)", async () => {
  const random = makeRandom(11);
  const lines: string[] = [], expected: string[] = [];
  for (let round = 0; round < 40_000 && lines.length < 4_000; round++) {
    const line = randomText(random, ALPHABET, 14);
    const split = splitCommand(`p ${line}`);
    if (split.kind !== "plain") continue;
    lines.push(line);
    expected.push(split.words.slice(1).map((word) => `<${word}>`).join(""));
  }
  assert.ok(lines.length > 1_000);
  const script = ["p() { printf '<%s>' \"$@\"; }", ...lines.map((line) => `[ 1 ] && p ${line}\nprintf '\\1'`)]
    .join("\n");
  const bash = new Deno.Command("/bin/bash", {
    args: ["--norc", "-c", script],
    clearEnv: true,
    env: { LC_ALL: "C.UTF-8" },
  });
  const printed = new TextDecoder().decode((await bash.output()).stdout).split("\x01");
  printed.pop();
  assert.equal(printed.length, lines.length);
  printed.forEach((text, index) =>
    assert.equal(text === "<>" && expected[index] === "" ? "" : text, expected[index], lines[index])
  );
});

Deno.test("quoteWord leaves ordinary words as they are", () => {
  assert.equal(quoteWord("src/a-b_c.ts"), "src/a-b_c.ts");
  assert.equal(quoteWord("it's"), `'it'\\''s'`);
});

Deno.test("wordOf reads every escape of bash's $'…'", () => {
  const cases: Readonly<Record<string, string>> = {
    "\\a": "\x07",
    "\\b": "\b",
    "\\e": "\x1b",
    "\\E": "\x1b",
    "\\f": "\f",
    "\\n": "\n",
    "\\r": "\r",
    "\\t": "\t",
    "\\v": "\v",
    "\\\\": "\\",
    "\\'": "'",
    '\\"': '"',
    "\\?": "?",
    "\\q": "\\q",
    "\\x41\\x4a\\x": "AJ\\x",
    "\\101\\1012": "AA2",
    "\\777": "\xff",
    "\\u00e9\\u41": "éA",
    "\\U0001F600": "😀",
    "\\Uffffffff": "\u{10ffff}",
    "\\ca\\cZ\\c?": "\x01\x1a\x1f",
  };
  for (const [written, text] of Object.entries(cases)) {
    assert.deepEqual(wordOf(`a$'${written}'b`), { text: `a${text}b`, literal: true, single: true }, written);
  }
  for (const broken of ["$'a", "$'a\\", "$'a\\'"]) {
    assert.match(readScript(broken).fault ?? "", /not closed/, broken);
  }
});

Deno.test("wordOf takes one word to its end, and no more", () => {
  assert.deepEqual(wordOf("abc"), { text: "abc", literal: true, single: true });
  assert.deepEqual(wordOf("a b"), { text: "a", literal: true, single: true });
  assert.deepEqual(wordOf("~/x"), { text: "~/x", literal: true, single: true });
  assert.deepEqual(wordOf("~'/x'"), { text: "~/x", literal: true, single: true });
});

Deno.test("splitCommand leaves every keyword and operator of a shell to the shell", () => {
  const words = "! { } if then elif else fi case esac for select while until do done in function time coproc";
  for (const word of words.split(" ")) {
    assert.deepEqual(splitCommand(`${word} x`), { kind: "shell", token: word });
    assert.deepEqual(splitCommand(`x ${word}`), { kind: "plain", words: ["x", word] });
  }
  for (const token of ";&|<>()$`\n*?[") {
    assert.deepEqual(splitCommand(`a${token}b`), { kind: "shell", token });
    assert.deepEqual(splitCommand(`a'${token}'b`), { kind: "plain", words: [`a${token}b`] });
  }
  for (const token of "~#") {
    assert.deepEqual(splitCommand(`a ${token}b`), { kind: "shell", token });
    assert.deepEqual(splitCommand(`a${token}b`), { kind: "plain", words: [`a${token}b`] });
  }
});

Deno.test("splitCommand takes for an assignment only what is one", () => {
  for (const line of ["a-b=1 x", "1a=1", "x.y=1", "./x=1", "=1", "'A'=1"]) {
    assert.equal(splitCommand(line).kind, "plain", line);
  }
  for (const line of ["a=1", "_=", "a1+=x", "A_b=1 x"]) assert.equal(splitCommand(line).kind, "shell", line);
});

Deno.test("splitCommand knows where a backslash is one, and where a line goes on", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    'echo "a\\\nb"': ["echo", "ab"],
    "echo a\\\nb": ["echo", "ab"],
    "echo a \\\n b": ["echo", "a", "b"],
    'echo "\\$x \\` \\" \\\\ \\a"': ["echo", '$x ` " \\ \\a'],
    "echo \\$x \\\\ \\'": ["echo", "$x", "\\", "'"],
    "echo {} {a} a{b {a,b": ["echo", "{}", "{a}", "a{b", "{a,b"],
  };
  for (const [line, words] of Object.entries(cases)) {
    assert.deepEqual(splitCommand(line), { kind: "plain", words }, line);
  }
});

Deno.test("splitCommand says why a line is broken", () => {
  const cases: Readonly<Record<string, RegExp>> = {
    "a\0b": /NUL/,
    "a \\": /backslash/,
    "a 'b": /single quote/,
    'a "b': /double quote/,
    'a "b\\': /double quote/,
    "a\rb": /carriage return/,
    "": /empty/,
    " \n ": /empty/,
  };
  for (const [line, reason] of Object.entries(cases)) {
    const split = splitCommand(line);
    assert.ok(split.kind === "broken" && reason.test(split.reason), JSON.stringify(split));
  }
  assert.deepEqual(splitCommand("ls\r\n"), { kind: "plain", words: ["ls"] });
  assert.deepEqual(splitCommand("\r\n\t ls"), { kind: "plain", words: ["ls"] });
});

Deno.test("quoteWord quotes what a shell would not take as it stands", () => {
  for (const word of ["a", "A-z_0", "a@b%c+d=e:f,g./h"]) assert.equal(quoteWord(word), word);
  for (const word of ["", "a b", "a;b", "ä", "~", "a\nb", "a$"]) assert.equal(quoteWord(word), `'${word}'`);
  assert.equal(quoteWord("a'b"), "'a'\\''b'");
});
