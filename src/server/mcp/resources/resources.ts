/** Lists, finds and reads the resources of this server. @module */
import type { Caller, Holder } from "../../../call/answer.ts";
import { OpsError } from "../../../core/error.ts";
import type { ListedResource, ListedTemplate, ResourceContent, ResourceKind } from "./resource_kind.ts";
import { parseResourceUri } from "./resource_uri.ts";

/** One page of the list. */
export interface ResourcePage {
  readonly resources: readonly ListedResource[];
  /** Where the next page begins; absent on the last one. */
  readonly nextCursor?: string;
}

/** All kinds together. */
export interface Resources {
  /** @throws OpsError INVALID_ARGUMENT for a cursor that this server did not give. */
  list(cursor: string | undefined): Promise<ResourcePage>;
  templates(): readonly ListedTemplate[];
  /** @throws OpsError NOT_FOUND for an address that is none of ours, and what its kind throws. */
  read(uri: string, caller: Caller): Promise<ResourceContent>;
  /** See {@link ResourceKind.stamp}. */
  stamp(uri: string, holder: Holder): Promise<string | null>;
  /** Values of the variable of a template. */
  complete(uriTemplate: string, prefix: string, holder: Holder): Promise<readonly string[]>;
}

const PAGE_SIZE = 25;

/**
 * Puts the kinds together, in the order in which they are listed.
 *
 * @param mask Takes secrets out of every text that is read.
 */
export function makeResources(kinds: readonly ResourceKind[], mask: (text: string) => Promise<string>): Resources {
  const offered = () => kinds.filter((kind) => kind.isOffered());
  const find = (uri: string): { kind: ResourceKind; id: string } | undefined => {
    const name = parseResourceUri(uri);
    const kind = name && offered().find((each) => each.kind === name.kind);
    return kind ? { kind, id: name.id } : undefined;
  };
  return {
    async list(cursor) {
      const all = (await Promise.all(offered().map((kind) => kind.list()))).flat();
      const start = readCursor(cursor);
      if (start > all.length) throw badCursor();
      const end = start + PAGE_SIZE;
      return { resources: all.slice(start, end), ...end < all.length ? { nextCursor: writeCursor(end) } : {} };
    },
    templates: () => offered().flatMap(({ template }) => template ?? []),
    async read(uri, caller) {
      const found = find(uri);
      if (!found) {
        throw new OpsError(
          "NOT_FOUND",
          `there is no resource ${uri.slice(0, 200)}`,
          "List the resources and templates.",
        );
      }
      const content = await found.kind.read(found.id, caller);
      return "text" in content ? { ...content, text: await mask(content.text) } : content;
    },
    async stamp(uri, holder) {
      const found = find(uri);
      return found ? await found.kind.stamp(found.id, holder) : null;
    },
    async complete(uriTemplate, prefix, holder) {
      const kind = offered().find(({ template }) => template?.uriTemplate === uriTemplate);
      if (!kind) throw new OpsError("NOT_FOUND", `there is no template ${uriTemplate.slice(0, 200)}`);
      return await kind.complete(prefix, holder);
    },
  };
}

function writeCursor(position: number): string {
  return btoa(`page ${position}`);
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  for (let position = PAGE_SIZE; position < 100 * PAGE_SIZE; position += PAGE_SIZE) {
    if (writeCursor(position) === cursor) return position;
  }
  throw badCursor();
}

function badCursor(): OpsError {
  return new OpsError("INVALID_ARGUMENT", "invalid cursor", "List from the start.");
}
