/** Narrows the services of a call to the caller's part of the roots. @module */
import type { PathGuard } from "../roots/path_guard.ts";
import type { Services } from "./tool.ts";

/**
 * The same services, held to the caller's own roots wherever a path goes in or comes out. The kernel knows the configured
 * roots only: what a started program opens by itself is held by those.
 */
export function narrowServices(services: Services, paths: PathGuard): Services {
  const { writer, programs, processes, index } = services;
  return {
    ...services,
    paths,
    writer: { ...writer, change: (held, work, signal) => writer.change(held, work, signal, paths.display) },
    programs: {
      get running() {
        return programs.running;
      },
      run: (request, signal) => programs.run({ ...request, paths }, signal),
      close: () => programs.close(),
    },
    processes: { ...processes, start: (request, signal) => processes.start({ ...request, paths }, signal) },
    index: {
      ...index,
      search: (request) => index.search({ ...request, within: paths }),
      symbol: (request) => index.symbol({ ...request, within: paths }),
      rewrite: (request) => index.rewrite({ ...request, within: paths }),
      bootload: (sessionId, taskId) => index.bootload(sessionId, taskId, paths),
    },
  };
}
