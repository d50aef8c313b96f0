/** Hands the other tools to a tool that calls them. @module */
import type { Answer, Caller } from "./answer.ts";
import type { Catalog } from "./catalog.ts";
import type { OtherTools } from "./tool.ts";

/** The other tools, for one that calls them. A person who allowed the call has not seen those that it makes. */
export function otherTools(
  { catalog, envelope }: {
    readonly catalog: Catalog;
    readonly envelope: { call(name: string, args: unknown, caller: Caller): Promise<Answer> };
  },
  { consent: _consent, progress: _progress, correlationId: _id, takesImages: _images, ...caller }: Caller,
  signal: AbortSignal,
): OtherTools {
  return {
    callable: catalog.reachable,
    call: (name, args, own) =>
      envelope.call(name, args, { ...caller, patience: "brief", signal: AbortSignal.any([signal, own]) }),
  };
}
