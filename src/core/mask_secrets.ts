/** Masks passwords, tokens and keys in command lines before they are shown. @module */
import { findSecrets } from "./secrets/find_secrets.ts";

const MASK = "***";
/** Words that say that what follows is secret. `key` alone would hide too much. */
const SECRET_NAME =
  "(?:pass(?:word|wd|phrase)?|passcode|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|auth(?:orization)?|" +
  "credentials?|bearer|cookie|session[-_]?key|signature)";
/**
 * `--db-password=x`, `API_TOKEN=x`, `"token": "x"`, `?access_token=x`; what comes before the word is looked at where one is
 * found. Every repetition has a bound: else a long text of dashes or of one word would be searched from each place to its end.
 */
const ASSIGNMENT = new RegExp(`(${SECRET_NAME}[\\w-]{0,64}["']?\\s{0,16}[=:]\\s{0,16}["']?)([^\\s"'&;,]+)`, "gi");
const BEFORE_ASSIGNMENT = /(?:^|[\s"'?&;,{(-])[\w.-]{0,64}$/;
/** `--password x` in running text. */
const OPTION_VALUE = new RegExp(`(${SECRET_NAME}\\s{1,16}["']?)([^\\s"'-][^\\s"']*)`, "gi");
const BEFORE_OPTION = /(?:^|\s)--?[\w-]{0,64}$/;
const BEFORE_CHARACTERS = 68;
/** An option whose value is the next argument. */
const SECRET_OPTION = new RegExp(`^--?[\\w-]*${SECRET_NAME}$`, "i");
/** `scheme://user:password@host`. */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{0,32}:\/\/[^\s/:@]{0,128}:)[^\s@/]{1,512}(?=@)/gi;
const SCHEME_TOKEN = /\b(bearer|basic)\s{1,16}[\w+/.~=-]{8,}/gi;
/** What begins like a key, though it is shorter than one: an argument may hold a part. */
const KEY_START =
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{20,}|xox[abprs]-[\w-]{10,}|npm_\w{30,})/g;
/** Programs whose `-pVALUE` is a password. */
const SHORT_PASSWORD = /^(?:.*\/)?(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|sshpass)$/;
/** A user and a password as one word after its option, as curl and wget take them; two numbers are a user and a group. */
const USER_PASSWORD = /(\s(?:-u|--user|--proxy-user)[ =]?)(?!\d+:\d+(?:\s|$))[^\s:]+:\S+/g;

/** Masks the secrets in a text, in time linear in its length. */
export function maskSecrets(text: string): string {
  const named = text
    .replace(SCHEME_TOKEN, `$1 ${MASK}`)
    .replace(ASSIGNMENT, (whole, name: string, value: string, at: number, all: string) => {
      const isScheme = /^(?:bearer|basic)$/i.test(value);
      return isScheme || !BEFORE_ASSIGNMENT.test(before(all, at)) ? whole : name + MASK;
    })
    .replace(
      OPTION_VALUE,
      (whole, name: string, _value: string, at: number, all: string) =>
        BEFORE_OPTION.test(before(all, at)) ? name + MASK : whole,
    )
    .replace(URL_PASSWORD, `$1${MASK}`)
    .replace(KEY_START, MASK);
  let result = "", from = 0;
  for (const { start, end } of findSecrets(named)) {
    result += named.slice(from, start) + MASK;
    from = end;
  }
  return result + named.slice(from);
}

/** The end of what comes before a place. */
function before(text: string, at: number): string {
  return text.slice(Math.max(0, at - BEFORE_CHARACTERS), at);
}

/** One line for people: arguments joined by spaces, control characters shown as spaces, secrets masked. */
export function maskCommandLine(argv: readonly string[]): string {
  const short = SHORT_PASSWORD.test(argv[0] ?? "");
  const shown = argv.map((word, index) => {
    if (index > 0 && SECRET_OPTION.test(argv[index - 1] ?? "") && !word.startsWith("-")) return MASK;
    return short && /^-p./.test(word) ? `-p${MASK}` : word;
  });
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  const line = shown.join(" ").replace(/[\x00-\x1f\x7f]+/g, " ").trim();
  return maskSecrets(line.replace(USER_PASSWORD, `$1${MASK}`));
}
