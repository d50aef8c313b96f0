/** Generates fake secrets of every known format, for tests that search for them afterwards. @module */

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  LOWER = UPPER.toLowerCase(),
  DIGITS = "0123456789",
  HEX = "0123456789abcdef";
const ANY = UPPER + LOWER + DIGITS, WORD = `${ANY}_-`, BASE64 = `${ANY}+/`;

/** Characters by chance, with one of each kind in front where the alphabet has them. */
function chance(length: number, alphabet: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  const text = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join("");
  const kinds = [UPPER, LOWER, DIGITS].map((kind) => [...kind].find((character) => alphabet.includes(character)) ?? "");
  return (kinds.join("") + text).slice(0, length);
}

/** One secret of each format, by a name of the format. */
const FORMATS: Readonly<Record<string, () => string>> = {
  aws_id: () => `AKIA${chance(16, UPPER + DIGITS)}`,
  aws_session: () => `ASIA${chance(16, UPPER + DIGITS)}`,
  npm: () => `npm_${chance(36, ANY)}`,
  slack_bot: () => `xoxb-${chance(12, DIGITS)}-${chance(12, DIGITS)}-${chance(24, ANY)}`,
  slack_user: () => `xoxp-${chance(12, DIGITS)}-${chance(12, DIGITS)}-${chance(32, HEX)}`,
  slack_hook: () => `https://hooks.slack.com/services/T${chance(9, ANY)}/B${chance(9, ANY)}/${chance(24, ANY)}`,
  sendgrid: () => `SG.${chance(22, ANY)}.${chance(43, ANY)}`,
  shopify: () => `shpat_${chance(32, HEX)}`,
  stripe_live: () => `sk_live_${chance(24, ANY)}`,
  stripe_restricted: () => `rk_live_${chance(40, ANY)}`,
  stripe_hook: () => `whsec_${chance(32, ANY)}`,
  github: () => `ghp_${chance(36, ANY)}`,
  github_oauth: () => `gho_${chance(36, ANY)}`,
  github_fine: () => `github_pat_${chance(82, ANY)}`,
  gitlab: () => `glpat-${chance(20, WORD)}`,
  gitlab_runner: () => `glrt-${chance(20, ANY)}`,
  grafana: () => `glc_${chance(60, ANY)}`,
  grafana_service: () => `glsa_${chance(32, ANY)}_${chance(8, HEX)}`,
  openai: () => `sk-proj-${chance(74, ANY)}T3BlbkFJ${chance(74, ANY)}`,
  openai_old: () => `sk-${chance(20, ANY)}T3BlbkFJ${chance(20, ANY)}`,
  other_sk: () => `sk-${chance(48, ANY)}`,
  anthropic: () => `sk-ant-api03-${chance(93, ANY)}AA`,
  openrouter: () => `sk-or-v1-${chance(64, HEX)}`,
  groq: () => `gsk_${chance(52, ANY)}`,
  huggingface: () => `hf_${chance(34, UPPER + LOWER)}`,
  linear: () => `lin_api_${chance(40, ANY)}`,
  notion: () => `ntn_${chance(11, DIGITS)}${chance(35, ANY)}`,
  vault: () => `hvs.${chance(95, ANY)}`,
  vercel: () => `vcp_${chance(40, ANY)}`,
  databricks: () => `dapi${chance(32, HEX)}`,
  docker: () => `dckr_pat_${chance(27, ANY)}`,
  figma: () => `figd_${chance(40, ANY)}`,
  cloudflare: () => `cfut_${chance(40, ANY)}${chance(8, HEX)}`,
  tailscale: () => `tskey-auth-${chance(17, ANY)}-${chance(32, ANY)}`,
  google: () => `AIza${chance(35, ANY)}`,
  google_client: () => `GOCSPX-${chance(28, ANY)}`,
  pypi: () => `pypi-AgEIcHlwaS5vcmc${chance(80, ANY)}`,
  rubygems: () => `rubygems_${chance(48, HEX)}`,
  digitalocean: () => `dop_v1_${chance(64, HEX)}`,
  telegram: () => `AA${chance(33, ANY)}`,
  age: () => `AGE-SECRET-KEY-1${chance(58, UPPER + DIGITS)}`,
  doppler: () => `dp.pt.${chance(43, ANY)}`,
  planetscale: () => `pscale_tkn_${chance(43, ANY)}`,
  newrelic: () => `NRAK-${chance(27, UPPER + DIGITS)}`,
  postman: () => `PMAK-${chance(24, HEX)}-${chance(34, HEX)}`,
  pulumi: () => `pul-${chance(40, HEX)}`,
  web_token: () => `eyJ${chance(30, ANY)}.eyJ${chance(60, ANY)}.${chance(43, ANY)}`,
  brevo: () => `xkeysib-${chance(64, HEX)}-${chance(16, ANY)}`,
  replicate: () => `r8_${chance(37, ANY)}`,
  circleci: () => `CCIPAT_${chance(22, ANY)}_${chance(40, HEX)}`,
};

/** A secret, and a line of code or configuration that holds it. */
export interface Planted {
  readonly format: string;
  readonly secret: string;
  readonly line: string;
}

const LINES: readonly ((secret: string) => string)[] = [
  (secret) => `const client = connect("${secret}");`,
  (secret) => `  token: ${secret}`,
  (secret) => `{"a": 1, "value": "${secret}", "b": [2]}`,
  (secret) => `curl -H 'X-Key: ${secret}' https://api.example/v1?limit=10`,
];

/** Four of each format, in different lines: 200. */
export function plantSecrets(): readonly Planted[] {
  return Object.entries(FORMATS).flatMap(([format, make]) =>
    LINES.map((lineOf) => {
      const secret = make();
      return { format, secret, line: lineOf(format === "telegram" ? `123456789:${secret}` : secret) };
    })
  );
}

/** A key in PEM form that opens nothing. */
export function plantKey(): { readonly text: string; readonly lines: readonly string[] } {
  const lines = [...Array.from({ length: 12 }, () => chance(64, BASE64)), `${chance(30, BASE64)}==`];
  return { lines, text: `-----BEGIN RSA PRIVATE KEY-----\n${lines.join("\n")}\n-----END RSA PRIVATE KEY-----\n` };
}

/** What nothing but the file gives away: a value by chance under a name. */
export function plantValue(): string {
  return chance(28, ANY);
}
