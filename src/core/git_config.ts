/** Parses a repository's git configuration and recognises the keys by which git executes something. @module */

/** One assignment. */
export interface GitAssignment {
  /** `section.name` or `section.subsection.name`; section and name in lower case. */
  readonly key: string;
  readonly value: string;
  /** Where the assignment is in the text. */
  readonly start: number;
  readonly end: number;
}

/** All assignments of a text, as git reads it: several on a line, values over several lines. */
export function readGitConfig(text: string): GitAssignment[] {
  const found: GitAssignment[] = [];
  let section = "", at = 0;
  const matchAt = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    const header = matchAt(HEADER), assignment = header ? null : matchAt(ASSIGNMENT);
    if (header) {
      const [, name = "", quoted] = header;
      section = sectionOf(name, quoted);
      at = HEADER.lastIndex;
    } else if (assignment) {
      const [, name = "", value = ""] = assignment;
      found.push({
        key: `${section}.${name.toLowerCase()}`,
        value: plain(value),
        start: at,
        end: ASSIGNMENT.lastIndex,
      });
      at = ASSIGNMENT.lastIndex;
    } else {
      const comment = matchAt(COMMENT);
      at = comment ? COMMENT.lastIndex : at + 1;
    }
  }
  return found;
}

const HEADER = /\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]/y;
/** A value goes on after a backslash at the end of its line; a comment ends it, but not inside quotes. */
const ASSIGNMENT = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=((?:"(?:[^"\\\n]|\\[^])*"?|\\[^]|[^"\\\n#;])*))?/y;
const COMMENT = /[#;][^\n]*/y;

function sectionOf(name: string, quoted: string | undefined): string {
  if (quoted !== undefined) return `${name.toLowerCase()}.${quoted.replace(/\\(.)/g, "$1")}`;
  return name.toLowerCase();
}

/** A value without its quotes, escapes and line ends. */
function plain(value: string): string {
  return value.replace(/\\\r?\n/g, "").replace(/\\(["\\])/g, "\0$1").replace(/(?<!\0)"/g, "").replaceAll("\0", "")
    .trim();
}

/**
 * Keys whose value git executes, reads more configuration from, or takes for the folder that it writes: a link there may
 * lead anywhere. A star is any subsection.
 */
const EXECUTING = new Set(
  `core.hookspath core.worktree core.sshcommand core.pager core.editor core.askpass core.gitproxy core.alternaterefscommand
  sequence.editor diff.external diff.*.command diff.*.textconv filter.*.clean filter.*.smudge filter.*.process
  merge.*.driver mergetool.*.cmd mergetool.*.path difftool.*.cmd difftool.*.path gpg.program gpg.*.program
  gpg.ssh.defaultkeycommand credential.helper credential.*.helper interactive.difffilter include.path includeif.*.path
  remote.*.uploadpack remote.*.receivepack remote.*.vcs uploadpack.packobjectshook trailer.*.command trailer.*.cmd
  browser.*.cmd browser.*.path man.*.cmd man.*.path instaweb.httpd guitool.*.cmd tar.*.command imap.tunnel
  init.templatedir protocol.allow protocol.*.allow lfs.customtransfer.*.path lfs.extension.*.clean lfs.extension.*.smudge
  sendemail.smtpserver sendemail.sendmailcmd sendemail.tocmd sendemail.cccmd sendemail.headercmd
  sendemail.*.smtpserver sendemail.*.sendmailcmd sendemail.*.tocmd sendemail.*.cccmd sendemail.*.headercmd`.split(
    /\s+/,
  ),
);
const BOOLEAN = /^(?:true|false|yes|no|on|off|0|1|)$/i;
/** What git's extension for large files sets up; the program is the user's own. */
const LARGE_FILES = /^git-lfs (?:clean -- %f|smudge -- %f|smudge --skip -- %f|filter-process|filter-process --skip)$/;

/** Whether git executes something because of an assignment. */
export function executes({ key, value }: Pick<GitAssignment, "key" | "value">): boolean {
  const first = key.indexOf("."), last = key.lastIndexOf(".");
  const section = key.slice(0, first), middle = first === last ? null : key.slice(first + 1, last);
  if (section === "filter" && LARGE_FILES.test(value)) return false;
  if (EXECUTING.has(middle === null ? key : `${section}.*.${key.slice(last + 1)}`)) return true;
  if (EXECUTING.has(middle === null ? "" : `${section}.${middle.replace(/\..*$/, "")}.*.${key.slice(last + 1)}`)) {
    return true;
  }
  if (key === "core.fsmonitor" || section === "pager") return !BOOLEAN.test(value);
  if (section === "alias" || section === "submodule" && key.endsWith(".update")) return value.startsWith("!");
  if (section === "url") return key.endsWith(".insteadof") && /^(?:ext|fd)::/.test(middle ?? "");
  return section === "remote" && /\.(?:push)?url$/.test(key) && /^(?:ext|fd)::/.test(value);
}

/** A text without some of its assignments, and without the lines that had nothing else. */
export function withoutAssignments(text: string, dropped: readonly GitAssignment[]): string {
  return dropped.toReversed().reduce((rest, { start, end }) => {
    const before = rest.slice(0, start).replace(/[ \t]+$/, ""), after = rest.slice(end);
    const isLine = (before === "" || before.endsWith("\n")) && after.startsWith("\n");
    return isLine ? before + after.slice(1) : rest.slice(0, start) + after;
  }, text);
}
