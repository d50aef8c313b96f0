/** Documented commands that are not run by a test, each with its reason. @module */

/** A pattern of commands, and why they do not run here. */
export type NotRun = readonly [pattern: RegExp, reason: string];

/** Everything else that a document or a help text shows is run. */
export const NOT_RUN: readonly NotRun[] = [
  [
    /^make(?: |$)/,
    "verbs of the project: that they exist is checked; continuous integration runs check, test, release and " +
    "test-packages, and make test-clean-machine runs make run",
  ],
  [
    /^sudo (?:apt|systemctl|install|cat)\b/,
    "changes the machine; make test-packages does the same in a bare Debian system",
  ],
  [
    /^(?:HOST_REPO=\S+ )?docker\b/,
    "needs a Docker daemon; make test-packages builds and runs the image with buildah and podman",
  ],
  [
    /^(?:F=llmc-mcp|get llmc-mcp)/,
    "downloads a published release; tests/packages/install_docs_test.ts runs the lines on packages that were built here",
  ],
  [/^npx\b/, "needs the package to be published"],
  [/^claude mcp add\b/, "needs the client's own program; what print-config prints is tested elsewhere"],
  [
    /^llmc-mcp (?:undo|changes op_)/,
    "needs an operation of that name; tests/e2e/undo_test.ts runs the commands on some",
  ],
  [
    /^llmc-mcp top --url http/,
    "needs a second server at that address; tests/e2e/top_test.ts passes --url and --token-env",
  ],
];

/** Whether a command is in the table. */
export function isLeftOut(text: string): boolean {
  return NOT_RUN.some(([pattern]) => pattern.test(text));
}
