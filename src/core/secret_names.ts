/** Recognises names whose value is secret. @module */

const SECRET =
  /pass(?:word|wd|phrase)|(?:^|[_-])(?:key|pwd|pass)$|token$|secret|credential|authori[sz]ation|cookie|api_?key/i;

/** Whether a value under this name must not be shown. `budget_tokens` is a number of tokens and may be. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}
