/** Masks passwords, tokens and keys in command lines before they are shown. @module */

const MASK = "***";
/** Words that say that what follows is secret. `key` alone would hide too much. */
const SECRET_NAME =
  "(?:pass(?:word|wd|phrase)?|passcode|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|auth(?:orization)?|" +
  "credentials?|bearer|cookie|session[-_]?key|signature)";
/** `--db-password=x`, `API_TOKEN=x`, `"token": "x"`, `?access_token=x`. */
const ASSIGNMENT = new RegExp(
  `((?:^|[\\s"'?&;,{(-])[\\w.-]*${SECRET_NAME}[\\w-]*["']?\\s*[=:]\\s*["']?)([^\\s"'&;,]+)`,
  "gi",
);
/** `--password x` in running text. */
const OPTION_VALUE = new RegExp(`((?:^|\\s)--?[\\w-]*${SECRET_NAME}\\s+["']?)([^\\s"'-][^\\s"']*)`, "gi");
/** An option whose value is the next argument. */
const SECRET_OPTION = new RegExp(`^--?[\\w-]*${SECRET_NAME}$`, "i");
/** `scheme://user:password@host`. */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s@/]+(?=@)/gi;
const SCHEME_TOKEN = /\b(bearer|basic)\s+[\w+/.~=-]{8,}/gi;
/** Keys that are known by their look. */
const KNOWN_KEY =
  /\b(?:(?:AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{20,}|xox[abprs]-[\w-]{10,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|npm_\w{30,})/g;
/** Programs whose `-pVALUE` is a password. */
const SHORT_PASSWORD = /^(?:.*\/)?(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|sshpass)$/;

/** Masks the secrets in a text. */
export function maskSecrets(text: string): string {
  return text
    .replace(SCHEME_TOKEN, `$1 ${MASK}`)
    .replace(
      ASSIGNMENT,
      (whole, name: string, value: string) => /^(?:bearer|basic)$/i.test(value) ? whole : name + MASK,
    )
    .replace(OPTION_VALUE, `$1${MASK}`)
    .replace(URL_PASSWORD, `$1${MASK}`)
    .replace(KNOWN_KEY, MASK);
}

/** One line for people: arguments joined by spaces, control characters shown as spaces, secrets masked. */
export function maskCommandLine(argv: readonly string[]): string {
  const short = SHORT_PASSWORD.test(argv[0] ?? "");
  const shown = argv.map((word, index) => {
    if (index > 0 && SECRET_OPTION.test(argv[index - 1] ?? "") && !word.startsWith("-")) return MASK;
    return short && /^-p./.test(word) ? `-p${MASK}` : word;
  });
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  return maskSecrets(shown.join(" ").replace(/[\x00-\x1f\x7f]+/g, " ").trim());
}
