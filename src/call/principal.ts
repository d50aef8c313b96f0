/**
 * Names principals: the owners of handles and processes, whichever connection or session they call over.
 *
 * A name is `WHO` or `WHO/ROOTS`: a token, an address without one, or a user; and a digest of the roots that it is held
 * to, because what it keeps may come from anywhere inside them.
 * @module
 */
import { secretName } from "../sys/secrets.ts";

/** The user who starts a server for some roots over stdio; which one, the store says, which only its user can open. */
export function userPrincipal(roots: readonly string[]): string {
  return principalWithin("user", roots);
}

/** A caller over HTTP without a token. */
export function anonymousPrincipal(address: string): string {
  return `anonymous ${address}`;
}

/** The principal, held to these roots only: for it, what is kept from elsewhere does not exist. */
export function principalWithin(principal: string, roots: readonly string[]): string {
  return `${whoOf(principal)}/${secretName(roots.toSorted().join("\0"))}`;
}

/** The principal without its roots: what limits are counted by. */
export function whoOf(principal: string): string {
  return principal.split("/", 1)[0] ?? principal;
}
