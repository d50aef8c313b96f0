/** Hostile shell source: its parsing cost is counted, and no part is parsed twice. @module */
import assert from "node:assert/strict";
import { TOO_LONG } from "../../src/core/shell/reader.ts";
import { readScript } from "../../src/core/shell/script.ts";

const namesOf = (source: string) => readScript(source).commands.map(({ words }) => words[0]?.text);
const isLiteral = (word: string) => readScript(`echo ${word}`).commands[0]?.words[1]?.literal;

Deno.test("readScript reads each command once, in brackets that turn out to be no arithmetic", () => {
  const depth = 25; // read twice at each level, this would be 33 million commands
  const nested = `echo ${"$((a;".repeat(depth)}b${") )".repeat(depth)}`;
  assert.equal(readScript(nested).commands.length, 2 * depth + 1);
  assert.deepEqual(namesOf("echo $((a); b)").toSorted(), ["a", "b", "echo"]);
  assert.deepEqual(namesOf("((a $(x)); b)").toSorted(), ["a", "b", "x"]);
});

Deno.test("readScript ends at a depth and at a number of parts", () => {
  for (const open of ["${a:-", "$((", '"$(', "<(", "$(a "]) {
    assert.match(readScript(`echo ${open.repeat(10_000)}`).fault ?? "", /nested too deep/, open);
  }
  for (const part of ["a;", "a|", "(a);", "a[;", "f() { g; };", "<a ", "$(a) "]) {
    assert.equal(readScript(part.repeat(10_000)).fault, TOO_LONG, part);
  }
  assert.equal(readScript("a;".repeat(2_000)).fault, null);
});

Deno.test("readScript takes braces with a comma or two dots for an expansion", () => {
  for (const word of ["{a,b}", "x{a,b}y", "{1..9}", "{a,{b,c}}", "{{a,b}}", '{a,"b c"}', "{a}b,c}", "a{b,c\\ d}"]) {
    assert.equal(isLiteral(word), false, word);
  }
  for (const word of ["{}", "HEAD@{1}", "{a}", "a,b", "{a,b", '{"a,b"}', "{a\\,b}", "}a,b{"]) {
    assert.equal(isLiteral(word), true, word);
  }
});
