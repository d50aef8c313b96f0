/** `linux_sys_services`: lists systemd services, or says that systemd is not running. @module */
import * as z from "zod";
import { hasGlob } from "../../core/glob.ts";
import { isInState, readServices, SERVICE_STATES } from "../../sysinfo/service_list.ts";
import { pathTest } from "../../sys/files/globs.ts";
import { defineTool } from "../../call/tool.ts";
import { metaLine } from "../keep_rest.ts";

const output = () =>
  z.object({
    available: z.boolean(),
    /** Why there are no services to list. */
    reason: z.string().optional(),
    services: z.array(z.object({ name: z.string(), state: z.string(), description: z.string() })),
    total: z.int(),
    truncated: z.boolean(),
  });

/** See the summary. */
export const sysServices = defineTool({
  name: "linux_sys_services",
  title: "Services",
  summary: "Services of systemd by state; says so where systemd does not run.",
  toolset: "logs",
  effect: "read",
  input: () =>
    z.strictObject({
      state: z.enum(SERVICE_STATES).default("running"),
      pattern: z.string().max(200).optional().describe("part of the name, or a glob"),
      max_results: z.int().min(1).max(500).default(100),
    }),
  output,
  render({ available, reason, services, total, truncated }, { state, pattern }) {
    if (!available) return `No services: ${reason}.`;
    if (total === 0) return `No service ${pattern === undefined ? "" : `like '${pattern}' `}is ${state}.`;
    const lines = services.map((service) =>
      [service.name, state === "running" ? "" : service.state, service.description].filter((part) => part).join(" ")
    );
    return truncated
      ? [...lines, metaLine(`${services.length} of ${total}`, "narrow with 'pattern'")].join("\n")
      : lines.join("\n");
  },
  async run({ state, pattern, max_results }, { facts }) {
    const { source, text, reason, cut } = await facts.services();
    if (source === null) return { available: false, reason, services: [], total: 0, truncated: false };
    const fits = nameTest(pattern ?? "");
    const found = readServices(text).filter((service) => isInState(service, state) && fits(service.name));
    const services = found.slice(0, max_results).map(({ name, active, sub, description }) => ({
      name,
      state: active === sub ? sub : `${active}/${sub}`,
      description,
    }));
    return { available: true, services, total: found.length, truncated: cut || found.length > services.length };
  },
});

function nameTest(pattern: string): (name: string) => boolean {
  const part = pattern.toLowerCase();
  return hasGlob(pattern) ? pathTest(pattern, { ignoreCase: true }) : (name) => name.toLowerCase().includes(part);
}
