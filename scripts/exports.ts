/** Reads the exports and imports of a source file, and how often it mentions each name. @module */
import ts from "typescript";

/** One file as the dead-code check sees it. */
export interface Outline {
  /** Exported names; whether each is a type only. */
  readonly exports: ReadonlyMap<string, { readonly isType: boolean; readonly line: number }>;
  /** Names taken from other files of the project, by the specifier; "*" stands for all of them. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  /** Specifiers of packages: imported in any way, or resolved by `import.meta.resolve`. */
  readonly packages: ReadonlySet<string>;
  /** How often each identifier stands in the file, its declaration included. */
  readonly mentions: ReadonlyMap<string, number>;
}

/** Outlines TypeScript source. */
export function outline(path: string, source: string): Outline {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const exports = new Map<string, { isType: boolean; line: number }>();
  const imports = new Map<string, Set<string>>();
  const mentions = new Map<string, number>();
  const packages = new Set<string>();

  const take = (specifier: ts.Node | undefined, name: string) => {
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return;
    if (!specifier.text.startsWith(".")) return void packages.add(specifier.text);
    imports.set(specifier.text, (imports.get(specifier.text) ?? new Set<string>()).add(name));
  };
  const give = (name: string, node: ts.Node) => {
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ||
      ts.isExportDeclaration(node) && node.isTypeOnly;
    exports.set(name, { isType, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) mentions.set(node.text, (mentions.get(node.text) ?? 0) + 1);
    if (ts.isImportDeclaration(node)) { for (const name of importedNames(node)) take(node.moduleSpecifier, name); }
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      take(node.arguments[0], "*");
    } else if (ts.isCallExpression(node) && node.expression.getText(file) === "import.meta.resolve") {
      take(node.arguments[0], "*");
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) take(node.argument.literal, "*");
    else if (ts.isExportDeclaration(node)) {
      if (node.exportClause === undefined) take(node.moduleSpecifier, "*");
      else if (ts.isNamedExports(node.exportClause)) {
        for (const { name, propertyName } of node.exportClause.elements) {
          take(node.moduleSpecifier, (propertyName ?? name).text);
          give(name.text, node);
        }
      }
    } else if (ts.isExportAssignment(node)) give("default", node);
    else if (isExported(node)) { for (const name of declaredNames(node)) give(name, node); }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { exports, imports, packages, mentions };
}

function importedNames({ importClause }: ts.ImportDeclaration): string[] {
  if (importClause === undefined) return ["*"]; // imported for its effect
  const names = importClause.name === undefined ? [] : ["default"];
  const bindings = importClause.namedBindings;
  if (bindings === undefined) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, "*"];
  return [...names, ...bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)];
}

function isExported(node: ts.Node): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function declaredNames(node: ts.Node): string[] {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  if (modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) return ["default"];
  const isDeclaration = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isEnumDeclaration(node) ||
    ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  return isDeclaration && node.name !== undefined ? [node.name.text] : [];
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => ts.isBindingElement(element) ? boundNames(element.name) : []);
}
