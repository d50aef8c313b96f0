/** Watches for the moment in which a process begins to listen on a port. @module */
import type { Child } from "../sandbox/children.ts";

/** One port of one process. */
export interface PortWatch extends Disposable {
  readonly isOpen: boolean;
  /** Resolves when it is listened on. */
  readonly opened: Promise<void>;
}

/** A look costs a pass over /proc. */
const INTERVAL_MS = 150;

/** Looks until the port is listened on, or the watch is disposed of. */
export function watchPort(child: Pick<Child, "ports">, port: number): PortWatch {
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  let isOpen = false, isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function look(): Promise<void> {
    const ports = await child.ports().catch((): readonly number[] => []); // what cannot be seen now is looked at again
    isOpen = ports.includes(port);
    if (isOpen) resolve();
    else if (!isOver) timer = setTimeout(() => void look(), INTERVAL_MS);
  }
  void look();
  return {
    get isOpen() {
      return isOpen;
    },
    opened,
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
