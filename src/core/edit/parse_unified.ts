/**
 * Parses unified diffs, with or without the headers of git, Subversion and mail, and skips surrounding text.
 * @module
 */
import { OpsError } from "../error.ts";
import { nameChoices, readGitLine, readName, type WrittenName } from "./diff_names.ts";
import { type FilePatch, type Hunk, type HunkLine, readHunkBody, readHunkHeader } from "./hunk.ts";

/**
 * Reads the form.
 *
 * @throws OpsError INVALID_ARGUMENT for a hunk without a file, and for what is no change of text files.
 */
export function parseUnified(lines: readonly string[]): readonly FilePatch[] {
  return new UnifiedParser(lines).parse();
}

/** What is known of the file whose hunks are being read. */
interface Section {
  readonly diffLine: number;
  readonly git: boolean;
  from: WrittenName | null;
  to: WrittenName | null;
  /** Names in extended headers have no prefix. */
  bareNames: boolean;
  /** Its `---` and `+++` lines have been read. */
  headed: boolean;
  action: FilePatch["action"] | null;
  mode: number | null;
  readonly hunks: Hunk[];
}

class UnifiedParser {
  readonly #lines: readonly string[];
  readonly #patches: FilePatch[] = [];
  #section: Section | null = null;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  parse(): readonly FilePatch[] {
    for (let at = 0; at < this.#lines.length;) at = this.#step(at);
    this.#close();
    return this.#patches;
  }

  /** Reads what starts at a line; answers where to go on. */
  #step(at: number): number {
    const line = this.#lines[at] ?? "";
    refuse(line, at);
    if (line.startsWith("diff --git ")) {
      const names = readGitLine(line.slice("diff --git ".length));
      this.#open(at, true);
      this.#name(names?.from, names?.to);
      return at + 1;
    }
    if (this.#section?.git && this.#section.hunks.length === 0 && this.#readExtended(this.#section, line)) {
      return at + 1;
    }
    if (line.startsWith("Index: ")) {
      return this.#open(at, false), this.#name(line.slice(7).trim(), line.slice(7).trim()), at + 1;
    }
    if (this.#isFileHeader(at)) return this.#readFileHeader(at);
    if (readHunkHeader(line) !== null) return this.#readHunk(at);
    // Changes that come without any `@@` line must not be passed over.
    if (/^[-+]/.test(line) && this.#section?.headed && this.#section.hunks.length === 0) {
      return this.#readHunk(at, true);
    }
    return at + 1;
  }

  #open(at: number, git: boolean): void {
    this.#close();
    this.#section = {
      diffLine: at + 1,
      git,
      from: null,
      to: null,
      bareNames: false,
      headed: false,
      action: null,
      mode: null,
      hunks: [],
    };
  }

  #name(from: string | undefined, to: string | undefined): void {
    if (this.#section === null) return;
    if (from !== undefined) this.#section.from = { name: from, absent: false };
    if (to !== undefined) this.#section.to = { name: to, absent: false };
  }

  #close(): void {
    if (this.#section !== null) this.#patches.push(...toPatch(this.#section));
    this.#section = null;
  }

  #readExtended(section: Section, line: string): boolean {
    const { 1: key = "", 2: value = "" } = line.match(
      /^(old mode|new mode|deleted file mode|new file mode|(?:copy|rename) (?:from|to)|(?:dis)?similarity index|index) (.*)$/,
    ) ?? [];
    const mode = parseInt(value, 8);
    if (key === "new mode" || key === "new file mode") section.mode = mode & 0o777;
    if (key === "new file mode") section.action = "create";
    if (key === "deleted file mode") section.action = "delete";
    if (key.endsWith("mode") && (mode & 0o170000) !== 0 && (mode & 0o170000) !== 0o100000) {
      throw unsupported(section.diffLine, "changes a symbolic link or submodule");
    }
    if (/^(?:copy|rename)/.test(key)) {
      section.action = key.startsWith("copy") ? "copy" : "rename";
      section.bareNames = true;
      section[key.endsWith("from") ? "from" : "to"] = readName(value);
    }
    return key !== "";
  }

  /** `--- X` and `+++ Y`, in this order; or one of them right before a hunk. */
  #isFileHeader(at: number): boolean {
    const [line = "", next = ""] = this.#lines.slice(at, at + 2);
    if (/^--- \S/.test(line)) return /^\+\+\+ \S/.test(next) || (/^@@/.test(next) && this.#canStart(at));
    return /^\+\+\+ \S/.test(line) && /^@@/.test(next) && this.#canStart(at);
  }

  /** One header line alone is believed only where it cannot be a removed or added line. */
  #canStart(at: number): boolean {
    const before = this.#lines[at - 1] ?? "";
    return !/^[-+ ]/.test(before);
  }

  #readFileHeader(at: number): number {
    if (!this.#continues(at)) this.#open(at, false);
    let next = at;
    for (const [lead, side] of [["--- ", "from"], ["+++ ", "to"]] as const) {
      const line = this.#lines[next];
      if (line === undefined || !line.startsWith(lead)) continue;
      if (this.#section !== null && !this.#section.bareNames) this.#section[side] = readName(line.slice(4));
      next++;
    }
    if (this.#section !== null) this.#section.headed = true;
    // A body without any `@@` line is still a hunk.
    return /^[-+ ]/.test(this.#lines[next] ?? "") && !this.#isEnd(next) ? this.#readHunk(next, true) : next;
  }

  /** Whether a file header belongs to the section that `diff --git` or `Index:` has opened. */
  #continues(at: number): boolean {
    const section = this.#section;
    if (section === null || section.hunks.length > 0 || section.headed) return false;
    const headers = this.#lines.slice(at, at + 2);
    return ([["--- ", section.from], ["+++ ", section.to]] as const).every(([lead, known]) => {
      const line = headers.find((header) => header.startsWith(lead));
      return line === undefined || isSameName(readName(line.slice(4)), known);
    });
  }

  #readHunk(at: number, bare = false): number {
    const section = this.#section;
    if (section === null) {
      const hint = "Put '--- a/file' and '+++ b/file' before the first '@@' line.";
      throw new OpsError(
        "INVALID_ARGUMENT",
        `line ${at + 1} of 'diff_text' starts a hunk before any file name`,
        hint,
      );
    }
    const header = bare ? null : readHunkHeader(this.#lines[at] ?? "");
    const body = readHunkBody(this.#lines, bare ? at : at + 1, header, (index) => this.#isEnd(index));
    section.hunks.push({
      number: section.hunks.length + 1,
      diffLine: at + 1,
      oldStart: header?.oldStart ?? null,
      newCount: header?.newCount ?? null,
      reliable: body.reliable,
      anchors: header === null || header.anchor === "" ? [] : [header.anchor],
      atEnd: false,
      lines: body.lines,
    });
    return body.next;
  }

  #isEnd(at: number): boolean {
    const line = this.#lines[at] ?? "";
    if (/^(?:@@|diff --git |Index: |```|={60,}$)/.test(line)) return true;
    if (/^-- ?$/.test(line) && isSignature(this.#lines.slice(at + 1, at + 3))) return true;
    return this.#isFileHeader(at);
  }
}

function isSameName({ name }: WrittenName, known: WrittenName | null): boolean {
  if (name === null || known === null || known.name === null) return true;
  return name === known.name || nameChoices(name, null).includes(known.name);
}

/** What follows `-- ` at the end of a mail that git made: its version, and then nothing or another mail. */
function isSignature([version = "", next = ""]: readonly string[]): boolean {
  return /^\d+\.\d+[\w.() -]*$/.test(version) && (next.trim() === "" || next.startsWith("From "));
}

function refuse(line: string, at: number): void {
  if (/^Binary files .* differ$/.test(line) || line.startsWith("GIT binary patch")) {
    throw unsupported(at + 1, "changes a binary file");
  }
  if (line.startsWith("@@@ ")) throw unsupported(at + 1, "is a combined diff of a merge");
  if (/^\*{15}\s*$/.test(line)) throw unsupported(at + 1, "is a context diff");
}

function unsupported(diffLine: number, what: string): OpsError {
  const hint = "Send a unified diff of text files (git diff, diff -u).";
  return new OpsError("INVALID_ARGUMENT", `line ${diffLine} of 'diff_text' ${what}`, hint);
}

/** A section that changes nothing gives no patch. */
function toPatch(section: Section): readonly FilePatch[] {
  const { from, to, mode, diffLine, bareNames } = section;
  const fromName = from?.name ?? null, toName = to?.name ?? null;
  const action = section.action ??
    (from !== null && fromName === null ? "create" : to !== null && toName === null ? "delete" : "modify");
  if (section.hunks.length === 0 && (action === "modify" && mode === null)) return [];
  const choices = (name: string | null, other: string | null) =>
    name === null ? [] : bareNames ? [name] : nameChoices(name, other);
  const source = action === "create"
    ? []
    : unique([...action === "modify" ? choices(toName, fromName) : [], ...choices(fromName, toName)]);
  const target = action === "delete" || action === "modify" ? source : choices(toName, fromName);
  return [{
    action,
    source,
    target,
    hunks: section.hunks.filter(hasChange),
    mode,
    mayBeAbsent: from?.absent === true || to?.absent === true,
    diffLine,
  }];
}

function hasChange(hunk: Hunk): boolean {
  return hunk.lines.some((line: HunkLine) => line.op !== " ");
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
