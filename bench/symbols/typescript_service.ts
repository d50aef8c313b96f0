/** Asks TypeScript's language service, which tsserver serves, for references. @module */
import ts from "typescript";
import type { LanguageServer } from "./language_server.ts";

/** Opens the service over the files of a folder. */
export function openTypeScript(root: string, files: readonly string[]): LanguageServer {
  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => files.map((path) => `${root}/${path}`),
    getScriptVersion: () => "1",
    getScriptSnapshot(path) {
      const text = ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({
      allowJs: true,
      checkJs: true,
      jsx: ts.JsxEmit.Preserve,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      noEmit: true,
      noLib: true,
      types: [],
    }),
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  return {
    references({ path, row, column }) {
      const file = `${root}/${path}`, source = service.getProgram()?.getSourceFile(file);
      if (source === undefined) return Promise.resolve([]);
      const at = source.getPositionOfLineAndCharacter(row, column);
      const found = (service.findReferences(file, at) ?? []).flatMap(({ references }) => references);
      return Promise.resolve(
        found.filter(({ isDefinition }) => !isDefinition).map(({ fileName, textSpan }) => {
          const there = service.getProgram()?.getSourceFile(fileName);
          const { line = 0, character = 0 } = there?.getLineAndCharacterOfPosition(textSpan.start) ?? {};
          return { path: fileName.slice(root.length + 1), row: line, column: character };
        }),
      );
    },
    [Symbol.asyncDispose]() {
      service.dispose();
      return Promise.resolve();
    },
  };
}
