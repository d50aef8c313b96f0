/** Decides which host names a network list allows, without resolving them. @module */

/** Names of public services that package managers use, by the sets of a list. */
export const NETWORK_SETS: Readonly<Record<string, readonly string[]>> = {
  "@npm": ["registry.npmjs.org:443", "registry.yarnpkg.com:443"],
  "@pypi": ["pypi.org:443", "files.pythonhosted.org:443"],
  "@crates": ["crates.io:443", "index.crates.io:443", "static.crates.io:443"],
  "@go": ["proxy.golang.org:443", "sum.golang.org:443"],
  "@debian": ["deb.debian.org", "security.debian.org"],
  "@github": [
    "github.com:443",
    "api.github.com:443",
    "codeload.github.com:443",
    "raw.githubusercontent.com:443",
    "objects.githubusercontent.com:443",
    "release-assets.githubusercontent.com:443",
  ],
};

/** The ways of networks in words, for people and models. */
export const NETWORK_WORDS = {
  on: "open",
  list: "listed names only, through a proxy (HTTP and HTTPS)",
  off: "closed",
} as const;

/** What one entry allows. */
export interface NetworkRule {
  /** In lower case, without the star of a wildcard: then it begins with a dot. */
  readonly name: string;
  readonly ports: readonly number[];
  /** Whether the name may lead to this machine or a private network. */
  readonly isPrivate: boolean;
}

/** An entry: `@set`, `name`, `name:port`, `*.name:port`; `private:` in front allows private addresses. */
export const NETWORK_ENTRY =
  /^(?:@[a-z]+|(?:private:)?(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?:[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?::[1-9][0-9]{0,4})?)$/;

const PLAIN_PORTS = [80, 443];
const MAX_NAME = 253;

/** The sets in a list that do not exist. */
export function unknownNetworkSets(entries: readonly string[]): string[] {
  return entries.filter((entry) => entry.startsWith("@") && !Object.hasOwn(NETWORK_SETS, entry));
}

/** Reads a list. */
export function readNetworkList(entries: readonly string[]): readonly NetworkRule[] {
  return entries.flatMap((entry) => entry.startsWith("@") ? NETWORK_SETS[entry] ?? [] : [entry]).map(readEntry);
}

function readEntry(entry: string): NetworkRule {
  const isPrivate = entry.startsWith("private:"), rest = isPrivate ? entry.slice("private:".length) : entry;
  const [name = "", port] = rest.replace(/^\*/, "").split(":");
  return { name, ports: port === undefined ? PLAIN_PORTS : [Number(port)], isPrivate };
}

/** The name as it is compared; null for what is not a name: an address in any notation, or characters of no name. */
export function comparableName(host: string): string | null {
  const name = host.toLowerCase().replace(/\.$/, "");
  const labels = name.split("."), last = labels.at(-1) ?? "";
  if (name.length > MAX_NAME || !labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))) {
    return null;
  }
  // An address is a name to no one: 127.1, 0x7f.1 and 2130706433 are read as one by programs.
  return /^(?:\d.*|0x[0-9a-f]*)$/.test(last) ? null : name;
}

/** The rule that allows a name at a port; undefined when none does. @param name As {@link comparableName} gives it. */
export function ruleFor(rules: readonly NetworkRule[], name: string, port: number): NetworkRule | undefined {
  return rules.find((rule) =>
    rule.ports.includes(port) &&
    (rule.name.startsWith(".") ? name.endsWith(rule.name) && name.length > rule.name.length : name === rule.name)
  );
}
