/** Declares what configuration needs to know about the machine. @module */

/** The machine as configuration sees it. Nothing here changes anything. */
export interface Machine {
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly homeDir: string;
  /** Absolute. */
  readonly workingDir: string;
  /** The kind of container that the process runs in; empty outside of one. */
  readonly container: string;
  /**
   * The text of a file; undefined when nothing has that name.
   * @throws {Error} with the system's reason when it is there and cannot be read as UTF-8 text
   */
  readText(path: string): string | undefined;
  /** The canonical path; undefined when nothing is there or it cannot be reached. */
  realPath(path: string): string | undefined;
  /** Follows links. */
  isDirectory(path: string): boolean;
  /** Real path of the first executable file called `name` in the folders; undefined when there is none. */
  findProgram(name: string, folders: readonly string[]): string | undefined;
  /** Names of the entries of a folder; none when it cannot be listed. */
  list(path: string): string[];
  /** The PATH that the user's login shell sets; undefined where there is none, or it does not answer in a second. */
  loginPath(): string | undefined;
}
