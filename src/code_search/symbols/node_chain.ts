/** Finds the nodes around a place of a text, in one descent from the root. @module */
import type { SyntaxNode } from "../../sys/grammar.ts";

/** A node on the way from the root to a name. */
export interface Link {
  readonly node: SyntaxNode;
  readonly type: string;
  /** Its field in the node above; empty when it has none. */
  readonly field: string;
  readonly start: number;
  readonly end: number;
}

/** Deeper nesting is made to hurt: no person writes it. */
const DEEPEST = 1_000;

/** Nodes from the root to the innermost named one at `start`; undefined where the text is nested too deeply. */
export function chainAt(root: SyntaxNode, start: number): Link[] | undefined {
  const cursor = root.walk();
  try {
    const chain: Link[] = [];
    for (let depth = 0; depth < DEEPEST; depth++) {
      if (cursor.nodeIsNamed) {
        const node = cursor.currentNode;
        chain.push({
          node,
          type: cursor.nodeType,
          field: cursor.currentFieldName ?? "",
          start: cursor.startIndex,
          end: cursor.endIndex,
        });
      }
      if (!cursor.gotoFirstChildForIndex(start) || cursor.startIndex > start) return chain;
    }
    return undefined;
  } finally {
    cursor.delete();
  }
}
