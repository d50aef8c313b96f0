/** Lists formats of secrets that secretlint lacks, from the documentation of their issuers. @module */

/** A format as it is written down. */
export interface FormatSource {
  /** What a placeholder calls it. */
  readonly name: string;
  /** Every match begins with one of these. */
  readonly anchors: readonly string[];
  /** Its first group of at least 16 characters is the secret, or all of it. */
  readonly pattern: string;
  readonly flags: string;
}

const END = "(?![A-Za-z0-9])";
/** Letters of both cases and digits. */
const MIXED = "(?=[\\w+/~.-]{0,80}[0-9])(?=[\\w+/~.-]{0,80}[A-Z])(?=[\\w+/~.-]{0,80}[a-z])";
const START = "(?<![A-Za-z0-9])";

/** A format whose matches begin with one of the anchors. */
function format(name: string, anchors: readonly string[], rest: string): FormatSource {
  const beginnings = anchors.map((anchor) => anchor.replace(/[.\\/$+?*()[\]|]/g, "\\$&")).join("|");
  return { name, anchors, pattern: `${START}(?:${beginnings})${rest}${END}`, flags: "" };
}

/** See the module. No pattern repeats what repeats, and each is looked for in a bounded part of the text. */
export const MORE_FORMATS: readonly FormatSource[] = [
  format("GOOGLE_API_KEY", ["AIza"], "[\\w-]{35}"),
  format("GOOGLE_OAUTH", ["GOCSPX-"], "[\\w-]{28}"),
  format("GOOGLE_OAUTH", ["ya29."], "[\\w-]{30,600}"),
  format("PYPI_TOKEN", ["pypi-AgE"], "[\\w-]{50,600}"),
  format("RUBYGEMS_KEY", ["rubygems_"], "[a-f0-9]{48}"),
  format("NUGET_KEY", ["oy2"], "[a-z0-9]{43}"),
  format("DIGITALOCEAN_TOKEN", ["dop_v1_", "doo_v1_", "dor_v1_"], "[a-f0-9]{64}"),
  { name: "TELEGRAM_TOKEN", anchors: [":AA"], pattern: `(?<=[0-9]{8}):(AA[\\w-]{33})${END}`, flags: "" },
  format("MAILGUN_KEY", ["key-"], "[a-f0-9]{32}"),
  format("AGE_SECRET_KEY", ["AGE-SECRET-KEY-1"], "[A-Z0-9]{58}"),
  format("DOPPLER_TOKEN", ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], "[\\w.-]{40,80}"),
  format("PLANETSCALE_TOKEN", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], "[\\w.=-]{32,64}"),
  format("NEWRELIC_KEY", ["NRAK-", "NRII-", "NRJS-"], "[\\w-]{19,32}"),
  format("SENTRY_TOKEN", ["sntrys_", "sntryu_"], "[\\w=+/-]{64,600}"),
  format("POSTMAN_KEY", ["PMAK-"], "[a-f0-9]{24}-[a-f0-9]{34}"),
  format("PULUMI_TOKEN", ["pul-"], "[a-f0-9]{40}"),
  format("ATLASSIAN_TOKEN", ["ATATT3"], "[\\w=-]{100,600}"),
  format("DROPBOX_TOKEN", ["sl.u.", "sl.B"], "[\\w-]{100,1500}"),
  format("SQUARE_TOKEN", ["sq0atp-", "sq0csp-"], "[\\w-]{22,60}"),
  format("SHIPPO_TOKEN", ["shippo_live_", "shippo_test_"], "[a-f0-9]{40}"),
  format("FLY_TOKEN", ["fm1r_", "fm2_"], "[A-Za-z0-9+/=_]{80,1500}"),
  format("OPENROUTER_KEY", ["sk-or-v1-"], "[a-f0-9]{64}"),
  format("API_KEY", ["sk-"], "(?=[\\w-]{0,80}[0-9])(?=[\\w-]{0,80}[A-Z])(?=[\\w-]{0,80}[a-z])[\\w-]{32,300}"),
  format("API_KEY", ["sk-"], "[a-f0-9]{32,64}"),
  format("PERPLEXITY_KEY", ["pplx-"], "[A-Za-z0-9]{48}"),
  format("REPLICATE_TOKEN", ["r8_"], "[A-Za-z0-9]{37}"),
  format("XAI_KEY", ["xai-"], "[A-Za-z0-9]{80}"),
  format(
    "GITLAB_TOKEN",
    ["gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-", "gloas-"],
    "[\\w-]{20,128}",
  ),
  format("STRIPE_WEBHOOK", ["whsec_"], "[A-Za-z0-9+/=]{32,128}"),
  format("SUPABASE_TOKEN", ["sbp_"], "[a-f0-9]{40}"),
  format("SONAR_TOKEN", ["squ_", "sqp_", "sqa_"], "[a-f0-9]{40}"),
  format("EASYPOST_KEY", ["EZAK", "EZTK"], "[A-Za-z0-9]{54}"),
  format("ALIBABA_KEY", ["LTAI"], "[A-Za-z0-9]{17,21}"),
  format("BUILDKITE_TOKEN", ["bkua_"], "[a-f0-9]{40}"),
  format("CIRCLECI_TOKEN", ["CCIPAT_"], "[A-Za-z0-9]{22}_[a-f0-9]{40}"),
  format("NETLIFY_TOKEN", ["nfp_"], "[A-Za-z0-9]{36,60}"),
  format("RESEND_KEY", ["re_"], "[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
  format("BREVO_KEY", ["xkeysib-"], "[a-f0-9]{64}-[A-Za-z0-9]{16}"),
  format("DOCKER_TOKEN", ["dckr_oat_"], "[\\w-]{32}"),
  format("HEROKU_KEY", ["HRKU-AA"], "[\\w-]{58}"),
  format("DISCORD_WEBHOOK", ["https://discord.com/api/webhooks/"], "[0-9]{16,20}/[\\w-]{60,80}"),
  format("JSON_WEB_TOKEN", ["eyJ"], "[\\w-]{10,1500}\\.eyJ[\\w-]{10,3000}\\.[\\w-]{10,1500}"),
  // What is assigned to a name, or follows a word: the group is the secret.
  {
    name: "AZURE_KEY",
    anchors: ["AccountKey=", "SharedAccessKey="],
    pattern: "\\w+=([A-Za-z0-9+/]{40,88}={0,2})",
    flags: "",
  },
  {
    name: "AWS_SECRET_ACCESS_KEY",
    anchors: ["ACCESS_KEY", "access_key", "AccessKey", "accessKey"],
    pattern: "\\w{9,10}[\"']?\\s{0,8}(?::|=>|=)\\s{0,8}[\"']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])",
    flags: "",
  },
  {
    name: "SECRET",
    anchors: ["KEY=", "TOKEN=", "SECRET=", "PASSWORD="],
    pattern: `[A-Z]+=["']?(${MIXED}[\\w+/~.-]{20,300}={0,2})(?![\\w(])`,
    flags: "",
  },
  {
    name: "BEARER_TOKEN",
    anchors: ["earer "],
    pattern: "earer\\s{1,4}((?=[\\w.~+/=-]{0,60}[0-9])(?=[\\w.~+/=-]{0,60}[A-Za-z])[\\w.~+/=-]{24,2000})",
    flags: "",
  },
  {
    name: "NPM_AUTH_TOKEN",
    anchors: [":_authToken=", ":_password="],
    pattern: ":_\\w+=[\"']?([A-Za-z0-9+/=_-]{16,300})",
    flags: "",
  },
];
