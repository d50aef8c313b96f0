/** Generates mutants of data: a list or a table without one of its elements. @module */
import type { Operator } from "../../scripts/reports/mutation.ts";
import ts from "typescript";

/** Where a change is made, and what then stands there. */
export interface Change {
  readonly operator: Operator;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The changes at one node. */
export function tableMutants(node: ts.Node, file: ts.SourceFile): Change[] {
  if (ts.isArrayLiteralExpression(node)) return dropEach(node.elements, file);
  if (ts.isObjectLiteralExpression(node) && isTable(node)) return dropEach(node.properties, file);
  if (ts.isStringLiteral(node) && isWordList(node)) return dropWords(node, file);
  return [];
}

/** Each element together with the comma that follows or goes before it. */
function dropEach(elements: ts.NodeArray<ts.Node>, file: ts.SourceFile): Change[] {
  return elements.map((element, index) => {
    const before = elements[index - 1], after = elements[index + 1];
    const start = after === undefined && before !== undefined ? before.getEnd() : element.getStart(file);
    const end = after === undefined ? element.getEnd() : after.getStart(file);
    return { operator: "drop an element", start, end, replacement: "" };
  });
}

/** A record on the top level of a module is a table; the properties of other objects are named by their type. */
function isTable({ parent }: ts.Node): boolean {
  if (!ts.isVariableDeclaration(parent) || !ts.isSourceFile(parent.parent.parent.parent)) return false;
  return parent.type !== undefined && /\bRecord</.test(parent.type.getText());
}

/** Whether a string holds words: it is split at once, or it is the options of a row. */
export function isWordList(node: ts.StringLiteral): boolean {
  if (!/^[^ ]+(?: [^ ]+)+$/.test(node.text)) return false;
  let at: ts.Node = node;
  while (ts.isBinaryExpression(at.parent) || ts.isParenthesizedExpression(at.parent)) at = at.parent;
  if (ts.isPropertyAccessExpression(at.parent)) return at.parent.name.text === "split";
  return ts.isCallExpression(at.parent) && at.parent.expression.getText() === "row" && at.parent.arguments[2] === at;
}

function dropWords(node: ts.StringLiteral, file: ts.SourceFile): Change[] {
  const start = node.getStart(file) + 1;
  const words = [...node.text.matchAll(/[^ ]+/g)];
  return words.map(({ index, 0: word }, at) => {
    const isLast = at === words.length - 1;
    const from = isLast ? index - 1 : index, to = isLast ? index + word.length : index + word.length + 1;
    return { operator: "drop an element", start: start + from, end: start + to, replacement: "" };
  });
}
