import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { compilePattern } from "../../src/core/linear_pattern.ts";
import { makeRandom } from "../support/random.ts";

const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["abc", ["abc", "xxabcxx"], ["ab", "acb", ""]],
  ["a|b", ["a", "xb"], ["c"]],
  ["^ready$", ["ready", "x\nready\ny", "ready\r\n"], ["not ready", "ready now"]],
  [">>> $", [">>> ", "x\n>>> "], [">>> x"]],
  ["ab*c", ["ac", "abbbc"], ["abb"]],
  ["ab+c", ["abc"], ["ac"]],
  ["ab?c", ["ac", "abc"], ["abbc"]],
  ["a{2,3}b", ["aab", "aaab", "aaaab"], ["ab"]],
  ["^a{2}$", ["aa"], ["a", "aaa"]],
  ["^a{2,}$", ["aa", "aaaaa"], ["a"]],
  ["(ab|cd)+e", ["abcde"], ["abce"]],
  ["(?:x)(?<name>y)", ["xy"], ["x"]],
  ["\\d+ passed", ["12 passed"], ["x passed"]],
  ["[a-f0-9]{7}", ["deadbee"], ["deadbe"]],
  ["[^a-z]", ["A"], ["abc"]],
  ["[\\d\\-.]+:", ["1-2.3:"], ["x:"]],
  ["[]]|x", ["x"], ["]"]],
  ["[a\\]b]c", ["]c"], ["xc"]],
  ["\\bfoo\\b", ["foo", "a foo b"], ["food", "afoo"]],
  ["\\Boo", ["foo"], ["oo"]],
  ["a.c", ["abc", "a🙂c"], ["a\nc"]],
  ["\\$ \\(\\)", ["$ ()"], ["$ "]],
  ["\\x41\\u0042\\u{1F642}", ["AB🙂"], ["AB"]],
  ["(?i)ReAdY", ["ready", "READY"], ["red"]],
  ["(?i)[a-z]x", ["Qx", "qX"], ["1x"]],
  ["(a*)*b", ["aaab", "b"], ["aaa"]],
  ["(|a)+b", ["b", "aab"], ["a"]],
  ["{", ["{"], ["x"]],
  ["a{,2}", ["a{,2}"], ["aa"]],
  ["", ["", "x"], []],
  ["日本", ["日本語"], ["日語"]],
];

for (const [pattern, yes, no] of CASES) {
  Deno.test(`pattern /${pattern}/ matches what it should, in one piece and in many`, () => {
    for (const text of yes) {
      assert.ok(compilePattern(pattern).feed(text), text);
      const matcher = compilePattern(pattern);
      assert.ok([...text, ""].some((piece) => matcher.feed(piece)), `${text} in pieces`);
    }
    for (const text of no) assert.ok(!compilePattern(pattern).feed(text), text);
  });
}

for (
  const pattern of [
    "a(?=b)",
    "(?<=a)b",
    "(?!a)",
    "(a)\\1",
    "(",
    ")",
    "[a",
    "a**",
    "*a",
    "a{3,2}",
    "a\\",
    "(a{1000}){1000}",
    "x".repeat(501),
    "\\x4",
  ]
) {
  Deno.test(`pattern /${pattern.slice(0, 30)}/ is refused with a reason`, () => {
    assert.throws(
      () => compilePattern(pattern),
      (error) => error instanceof OpsError && error.code === "INVALID_ARGUMENT",
    );
  });
}

Deno.test("patterns that hang other engines take time in proportion to the text", () => {
  const short = `${"a".repeat(4 * 1024)}!`, long = `${"a".repeat(32 * 1024)}!`;
  for (
    const pattern of [
      "(a+)+$b",
      "(a|aa)+$b",
      "(a|a)*$b",
      "a*a*a*a*a*a*b",
      "(.*)(.*)(.*)(.*)(.*)[^a!]",
      "(a?){50}a{50}b",
    ]
  ) {
    // Eight times the text takes eight times as long, and 64 times where the time grows with the square.
    const times = bestTime(pattern, long) / bestTime(pattern, short);
    assert.ok(times < 24, `${pattern} takes ${times} times as long`);
  }
});

/** Milliseconds of the fastest of three searches that find nothing. */
function bestTime(pattern: string, text: string): number {
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    assert.ok(!compilePattern(pattern).feed(text));
    return performance.now() - start;
  });
  return Math.min(...times);
}

Deno.test("patterns agree with the engine of the language on 3,000 random texts", () => {
  const alphabet = "ab \n1_.";
  const random = makeRandom(5);
  const patterns = [
    "a+b",
    "^a.*b$",
    "(a|b1)*_",
    "\\ba\\w*",
    "[^ab\\s]+a",
    "a{2,3}[ab]?\\.",
    "(?:ab|a)(?:b|1)$",
    "\\S\\s\\S",
    "^$",
    "\\d\\b",
  ];
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: random.below(12) }, () => alphabet[random.below(alphabet.length)]).join("");
    const pattern = patterns[round % patterns.length] ?? "";
    assert.equal(
      compilePattern(pattern).feed(text),
      new RegExp(pattern, "mu").test(text),
      `/${pattern}/ on ${JSON.stringify(text)}`,
    );
  }
});
