/** Notes which programs the commands of one call name, for its record. @module */
import type { Services } from "./tool.ts";

/** Services for one call, and what was named through them. */
export interface NamedPrograms {
  readonly services: Pick<Services, "programs" | "processes">;
  /** Each once, in order. */
  readonly names: ReadonlySet<string>;
}

/** Wraps the services that start programs. */
export function noteProgramNames({ programs, processes }: Pick<Services, "programs" | "processes">): NamedPrograms {
  const names = new Set<string>();
  const noting = <T extends { readonly programs: readonly string[] }>(started: T): T => {
    for (const name of started.programs) names.add(name);
    return started;
  };
  return {
    services: {
      programs: {
        get running() {
          return programs.running;
        },
        run: async (request, signal) => noting(await programs.run(request, signal)),
        close: () => programs.close(),
      },
      processes: { ...processes, start: async (request, signal) => noting(await processes.start(request, signal)) },
    },
    names,
  };
}
