import assert from "node:assert/strict";
import { locate } from "../../src/config/locate.ts";
import { parseToml } from "../../src/config/toml.ts";

type Path = (string | number)[];

/** "line:column" of key and value. */
function places(text: string, path: Path): [string, string] {
  parseToml(text, "llmc.toml");
  const locator = locate(text);
  const show = (place: { line: number; column: number } | undefined) =>
    place ? `${place.line}:${place.column}` : "none";
  return [show(locator.key(path)), show(locator.value(path))];
}

Deno.test("locate finds keys in tables, with spaces and comments around them", () => {
  const text = '# head [not.a.table]\n\n[ mcp . server ] # x = 1\n  port\t= 8080 # port = 1\nhost = "a"\n';
  assert.deepEqual(places(text, ["mcp", "server", "port"]), ["4:3", "4:10"]);
  assert.deepEqual(places(text, ["mcp", "server", "host"]), ["5:1", "5:8"]);
  assert.deepEqual(places(text, ["mcp", "server"]), ["3:9", "3:9"]);
  assert.deepEqual(places(text, ["mcp"]), ["3:3", "3:3"]);
});

Deno.test("locate gives the first place where a table is written", () => {
  const text = "[mcp.server]\nport = 1\n[mcp.auth]\nmode = 'none'\n";
  assert.deepEqual(places(text, ["mcp"]), ["1:2", "1:2"]);
  assert.deepEqual(places(text, ["mcp", "auth"]), ["3:6", "3:6"]);
});

Deno.test("locate finds dotted and quoted keys", () => {
  const text = 'mcp."server" . port = 1\nmcp.\'a.b\'."c\\u0020\\"d" = 2\n"" = 3\n';
  assert.deepEqual(places(text, ["mcp", "server", "port"]), ["1:16", "1:23"]);
  assert.deepEqual(places(text, ["mcp", "a.b", 'c "d']), ["2:11", "2:26"]);
  assert.deepEqual(places(text, ["mcp", "a.b"]), ["2:5", "2:5"]);
  assert.deepEqual(places(text, [""]), ["3:1", "3:6"]);
});

Deno.test("locate finds keys of inline tables, nested and over several lines", () => {
  const text = "mcp = { server = { port = 1, tls.on = true }, # c\n  x = [ { y = 2 }, { y = 3 } ],\n}\n";
  assert.deepEqual(places(text, ["mcp", "server", "port"]), ["1:20", "1:27"]);
  assert.deepEqual(places(text, ["mcp", "server", "tls", "on"]), ["1:34", "1:39"]);
  assert.deepEqual(places(text, ["mcp", "x", 1, "y"]), ["2:22", "2:26"]);
  assert.deepEqual(places(text, ["mcp", "x", 1]), ["2:20", "2:20"]);
});

Deno.test("locate counts arrays of tables, and tables inside them", () => {
  const text = "[[a]]\nx = 1\n[[a]]\nx = 2\n[a.b]\ny = 1\n[[a.c]]\nz = 1\n[[a.c]]\nz = 2\n[[a]]\n[[a.c]]\nz = 3\n";
  assert.deepEqual(places(text, ["a", 0, "x"]), ["2:1", "2:5"]);
  assert.deepEqual(places(text, ["a", 1, "x"]), ["4:1", "4:5"]);
  assert.deepEqual(places(text, ["a", 1, "b", "y"]), ["6:1", "6:5"]);
  assert.deepEqual(places(text, ["a", 1, "c", 1, "z"]), ["10:1", "10:5"]);
  assert.deepEqual(places(text, ["a", 2, "c", 0, "z"]), ["13:1", "13:5"]);
});

Deno.test("locate is not misled by strings that look like TOML", () => {
  const text = [
    'a = """',
    "[mcp.server]",
    'port = 1 \\""" ',
    '"""""',
    "b = '''",
    "'' c = 1 ''''",
    'd = "# no comment \\" = ["',
    "e = 'C:\\'",
    "[mcp.server]",
    "port = 2",
    "",
  ].join("\n");
  assert.deepEqual(places(text, ["mcp", "server", "port"]), ["10:1", "10:8"]);
  assert.deepEqual(places(text, ["b"]), ["5:1", "5:5"]);
  assert.deepEqual(places(text, ["e"]), ["8:1", "8:5"]);
  assert.deepEqual(places(text, ["c"]), ["none", "none"]);
});

Deno.test("locate counts items of arrays over lines, comments, dates with a space and brackets in strings", () => {
  const text = 'x = [ # [\n  1979-05-27 07:32:00Z, "a,]", # b\n  [1, [2]], -inf,\n]\ny = 1';
  assert.deepEqual(places(text, ["x", 0]), ["2:3", "2:3"]);
  assert.deepEqual(places(text, ["x", 1]), ["2:25", "2:25"]);
  assert.deepEqual(places(text, ["x", 2, 1, 0]), ["3:8", "3:8"]);
  assert.deepEqual(places(text, ["x", 3]), ["3:13", "3:13"]);
  assert.deepEqual(places(text, ["y"]), ["5:1", "5:5"]);
});

Deno.test("locate keeps the columns of CRLF files and of lines with characters outside ASCII", () => {
  const text = 'a = "ü"\r\nb = ["🙂", 1]\r\n\r\nc = 2\r\n';
  assert.deepEqual(places(text, ["b", 1]), ["2:12", "2:12"]);
  assert.deepEqual(places(text, ["c"]), ["4:1", "4:5"]);
});

Deno.test("locate finds every key of a random document where it was written", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  const values = [
    "1",
    '"x # ["',
    "'''\n] = '''",
    "[1, 2,\n 3]",
    '{ p = "}" }',
    "1979-05-27 07:32:00",
    '"""a\n\\"""" """',
    "true",
  ];
  const names = ["bare", '"quoted key"', "'lit.eral'", "a-b_c", '"\\u00e4"'];
  for (let round = 0; round < 300; round++) {
    const expected: [Path, number][] = [];
    let text = "", line = 1;
    const write = (part: string) => {
      text += part;
      line += part.split("\n").length - 1;
    };
    for (let table = 0; table < 1 + random(4); table++) {
      write(`${" ".repeat(random(3))}[t${table}.${names[random(names.length)]}]${random(2) ? " # [x]" : ""}\n`);
      const head = Object.keys(Object.values(parseToml(text, "f"))[table] ?? {})[0] ?? "";
      for (let key = 0; key < random(6); key++) {
        write("\n".repeat(random(2)));
        expected.push([[`t${table}`, head, `k${key}`, "x"], line]);
        write(`${" ".repeat(random(3))}k${key} . x=${values[random(values.length)]}\n`);
      }
    }
    parseToml(text, "llmc.toml");
    const locator = locate(text);
    for (const [path, at] of expected) {
      assert.equal(locator.value(path)?.line, at, `${JSON.stringify(path)} in\n${text}`);
    }
  }
});
