/** Defines the contract of each kind of resource. @module */
import type { Caller, Holder } from "../../../call/answer.ts";

/** A resource in the list. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A pattern of addresses, with one variable. */
export interface ListedTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType?: string;
}

/** What a resource holds: text, or bytes in base64. */
export type ResourceContent =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly blob: string };

/** One kind: the part of an address after `llmc://`. */
export interface ResourceKind {
  readonly kind: string;
  /** False while a setting switches it off. */
  isOffered(): boolean;
  /** Those that are few and stay; the others are found by template. */
  list(): Promise<readonly ListedResource[]>;
  readonly template: ListedTemplate | null;
  /** @throws OpsError NOT_FOUND and what the tools throw that read the same. */
  read(id: string, caller: Caller): Promise<ResourceContent>;
  /** Another text whenever the content is another; null when there is nothing under the identifier. */
  stamp(id: string, holder: Holder): Promise<string | null>;
  /** Identifiers that begin so, for a person who types one. */
  complete(prefix: string, holder: Holder): Promise<readonly string[]>;
}
