/** Generates all mutants of a source: the same text with one small change each. @module */
import type { Mutant } from "../../scripts/reports/mutation.ts";
import ts from "typescript";
import { type Change, isWordList, tableMutants } from "./table_mutants.ts";
import type { Operator } from "../../scripts/reports/mutation.ts";

/** Larger ones are bounds of effort: a test that meets one exactly would take minutes. */
const LARGEST_EXACT = 5_000;

const BINARY: ReadonlyMap<ts.SyntaxKind, { readonly operator: Operator; readonly to: string }> = new Map([
  [ts.SyntaxKind.LessThanToken, { operator: "move a boundary", to: "<=" }],
  [ts.SyntaxKind.LessThanEqualsToken, { operator: "move a boundary", to: "<" }],
  [ts.SyntaxKind.GreaterThanToken, { operator: "move a boundary", to: ">=" }],
  [ts.SyntaxKind.GreaterThanEqualsToken, { operator: "move a boundary", to: ">" }],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, { operator: "negate a condition", to: "!==" }],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, { operator: "negate a condition", to: "===" }],
  [ts.SyntaxKind.AmpersandAmpersandToken, { operator: "swap and with or", to: "||" }],
  [ts.SyntaxKind.BarBarToken, { operator: "swap and with or", to: "&&" }],
]);

/** Every mutant of a source, in the order of the text. */
export function mutantsOf(path: string, source: string): Mutant[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const changes: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    if (isWording(node)) return;
    changes.push(...changesAt(node, file), ...tableMutants(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  changes.sort((one, other) => one.start - other.start || one.end - other.end);
  const lines = source.split("\n");
  return changes.map((change) => {
    const { line } = file.getLineAndCharacterOfPosition(change.start);
    return {
      ...change,
      path,
      line: line + 1,
      original: source.slice(change.start, change.end),
      context: lines[line]?.trim() ?? "",
    };
  });
}

/** The source with the change in it. */
export function mutate(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

function changesAt(node: ts.Node, file: ts.SourceFile): Change[] {
  const replace = (operator: Operator, replaced: ts.Node, replacement: string): Change[] => [
    { operator, start: replaced.getStart(file), end: replaced.getEnd(), replacement },
  ];
  if (ts.isIfStatement(node)) return negate(node.expression, file);
  if (ts.isConditionalExpression(node)) return negate(node.condition, file);
  if (ts.isBinaryExpression(node)) {
    const swap = BINARY.get(node.operatorToken.kind);
    return swap === undefined || isCondition(node) || isEndOfLoop(node)
      ? []
      : replace(swap.operator, node.operatorToken, swap.to);
  }
  if (isRemovable(node)) return replace("remove a statement", node, ";");
  if (ts.isNumericLiteral(node)) return changeNumber(node, file);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return replace("change a constant", node, "false");
  if (node.kind === ts.SyntaxKind.FalseKeyword) return replace("change a constant", node, "true");
  if (ts.isStringLiteral(node) && node.text !== "" && isValue(node)) return replace("empty a string", node, '""');
  if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) return dropAnchors(node, file);
  if (ts.isPropertyAccessExpression(node) && node.expression.getText(file) === "Math") {
    const other = new Map([["min", "max"], ["max", "min"]]).get(node.name.text);
    return other === undefined ? [] : replace("swap least and most", node.name, other);
  }
  return [];
}

function negate(condition: ts.Expression, file: ts.SourceFile): Change[] {
  const [start, end] = [condition.getStart(file), condition.getEnd()];
  return [{ operator: "negate a condition", start, end, replacement: `!(${condition.getText(file)})` }];
}

/** An equality that is the whole condition is negated with it. */
function isCondition({ parent, operatorToken }: ts.BinaryExpression): boolean {
  const isEquality = BINARY.get(operatorToken.kind)?.operator === "negate a condition";
  return isEquality && (ts.isIfStatement(parent) || ts.isConditionalExpression(parent));
}

/** One step beyond the end of a text or a list reads nothing, so most loops do not notice it. */
function isEndOfLoop({ parent, operatorToken, right }: ts.BinaryExpression): boolean {
  const isLoop = ts.isForStatement(parent) || ts.isWhileStatement(parent) ||
    ts.isBinaryExpression(parent) && (ts.isForStatement(parent.parent) || ts.isWhileStatement(parent.parent));
  return isLoop && operatorToken.kind === ts.SyntaxKind.LessThanToken && ts.isPropertyAccessExpression(right) &&
    right.name.text === "length";
}

/** A statement without which the rest still means something. */
function isRemovable(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node)) return true;
  if (ts.isBreakStatement(node)) return true;
  // An early return; the last one of a function is its value.
  return ts.isReturnStatement(node) && !(ts.isBlock(node.parent) && ts.isFunctionLike(node.parent.parent));
}

function changeNumber(node: ts.NumericLiteral, file: ts.SourceFile): Change[] {
  const value = Number(node.text);
  if (value > LARGEST_EXACT) return [];
  const replacement = Number.isInteger(value) ? `${value + 1}` : `${value * 2}`;
  return [{ operator: "change a constant", start: node.getStart(file), end: node.getEnd(), replacement }];
}

/** A string whose value decides something: no name of a property, no module, and no element, which is dropped instead. */
function isValue({ parent }: ts.StringLiteral): boolean {
  return !ts.isArrayLiteralExpression(parent) &&
    !(ts.isPropertyAssignment(parent) && ts.isStringLiteral(parent.name)) && !ts.isExportDeclaration(parent) &&
    !ts.isExternalModuleReference(parent);
}

/** Each `^` at the start of an alternative or a group, and each `$` at the end of one. */
function dropAnchors(node: ts.Node, file: ts.SourceFile): Change[] {
  const text = node.getText(file), start = node.getStart(file);
  const isEscaped = (index: number) => /(?:^|[^\\])(?:\\\\)*\\$/.test(text.slice(0, index));
  const changes: Change[] = [];
  for (const { index, 0: found } of text.matchAll(/(?<=^\/|\||\(|\?:)\^|\$(?=\/[a-z]*$|\||\))/g)) {
    if (isEscaped(index)) continue;
    const at = start + index;
    // An expression without anything would begin a comment.
    const replacement = text.slice(0, index).endsWith("/") && text.charAt(index + 1) === "/" ? "(?:)" : "";
    changes.push({ operator: "drop an anchor", start: at, end: at + found.length, replacement });
  }
  return changes;
}

/** What people read: messages and hints are judged by eye, not by tests. */
function isWording(node: ts.Node): boolean {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return false;
  const text = ts.isStringLiteralLike(node) ? node.text : node.getText();
  return / .* /.test(text) && !(ts.isStringLiteral(node) && isWordList(node)) || isArgumentOfError(node);
}

function isArgumentOfError({ parent }: ts.Node): boolean {
  if (ts.isNewExpression(parent)) return /Error$/.test(parent.expression.getText());
  return ts.isCallExpression(parent) && /^(?:refuse|refuseUnconfined|failWith)$/.test(parent.expression.getText());
}
