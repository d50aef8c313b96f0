/** Lease that lets one of several servers write to an index; that of a killed server expires. @module */
import { type Database } from "../sys/database.ts";

/** The right to write, for a while. */
export interface Lease {
  /** Takes or prolongs it. @returns Whether this server has it now. */
  take(): boolean;
  release(): void;
}

/** Longer than any two batches of an honest writer lie apart. */
export const LEASE_MS = 5_000;

/** The lease of an index for one server. @param owner Names the server; no two may have the same. */
export function makeLease(index: Database, owner: string, now: () => number): Lease {
  const { prepare, write } = index;
  return {
    take: () =>
      write(() => {
        const held = prepare("select owner, until_ms from lease where id = 1").get();
        if (held !== undefined && held.owner !== owner && Number(held.until_ms) > now()) return false;
        prepare(
          "insert into lease values (1, ?, ?) on conflict do update set owner = excluded.owner, until_ms = excluded.until_ms",
        )
          .run(owner, now() + LEASE_MS);
        return true;
      }),
    release() {
      write(() => prepare("delete from lease where owner = ?").run(owner));
    },
  };
}
