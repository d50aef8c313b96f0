/** Maps a file name to its media type. @module */

const TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  json: "application/json",
  html: "text/html",
  css: "text/css",
  csv: "text/csv",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  toml: "application/toml",
  js: "text/javascript",
  mjs: "text/javascript",
};

/** Types of text only: what a file really is, its content says. */
export function mimeTypeOf(path: string): string {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return TYPES[extension] ?? "text/plain";
}
