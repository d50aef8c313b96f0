/** `llmc://config/effective.json`: the effective configuration, without secrets. @module */
import { describeConfig } from "../../../config/describe.ts";
import type { Config } from "../../../config/resolve.ts";
import { OpsError } from "../../../core/error.ts";
import type { ResourceKind } from "./resource_kind.ts";
import { resourceUri } from "./resource_uri.ts";

const NAME = "effective.json";

/** The one resource of this kind. */
export function effectiveConfig(config: Config): ResourceKind {
  const text = () => JSON.stringify(describeConfig(config), null, 1);
  return {
    kind: "config",
    isOffered: () => true,
    template: null,
    list: () =>
      Promise.resolve([{
        uri: resourceUri("config", NAME),
        name: NAME,
        title: "Effective configuration",
        description: "Every setting in force and where it came from; secrets are left out.",
        mimeType: "application/json",
      }]),
    read(name) {
      if (name !== NAME) throw new OpsError("NOT_FOUND", "there is no such configuration", "List the resources.");
      return Promise.resolve({ mimeType: "application/json", text: text() });
    },
    stamp: (name) => Promise.resolve(name === NAME ? text() : null),
    complete: () => Promise.resolve([]),
  };
}
