/** Caches the OpenAPI description until settings change. @module */
import type { Config } from "../../config/resolve.ts";
import type { Settings } from "../../config/schema.ts";
import type { Catalog } from "../../call/catalog.ts";
import { metricsPathOf } from "./metrics_path.ts";
import { describeApi, type OpenApi } from "./openapi.ts";

/** What is described. */
export interface ApiDescriptionDeps {
  readonly config: Pick<Config, "settings">;
  readonly catalog: Catalog;
}

/** Made when it is first asked for. */
export function makeApiDescription({ config, catalog }: ApiDescriptionDeps): () => OpenApi {
  const metricsPath = metricsPathOf(config.settings);
  let made: { readonly settings: Settings; readonly api: OpenApi } | undefined;
  return () => {
    const { settings } = config;
    if (made?.settings !== settings) made = { settings, api: describeApi({ catalog, settings, metricsPath }) };
    return made.api;
  };
}
