/** Tracks which sessions have programs, and has the temporary folder of a session removed when that is over. @module */

/** Sessions whose programs have a temporary folder. */
export interface SessionUse {
  /** A program of the session starts; what is returned is called at its end. */
  begin(key: string): () => void;
  /** A session is over: its folders go when none of its programs runs. @param sessionId Of {@link sessionKey}. */
  end(sessionId: string): void;
  /** Waits for folders that are being removed. */
  close(): Promise<void>;
}

interface Use {
  running: number;
  isOver: boolean;
  lastMs: number;
}

/** Sessions without a connection that ends: one that started no program for so long is over. */
const UNUSED_MS = 24 * 3_600_000;
const BETWEEN = "\n";

/** What distinguishes temporary folders: two callers may give their sessions the same name. */
export function sessionKey(owner: string, sessionId = ""): string {
  return `${owner}${BETWEEN}${sessionId}`;
}

/** @param remove Removes the folder of a session. @param now A clock that only grows, in milliseconds. */
export function makeSessionUse(remove: (key: string) => Promise<void>, now: () => number): SessionUse {
  const uses = new Map<string, Use>(), removing = new Set<Promise<void>>();

  function removeUnused(): void {
    for (const [key, { running, isOver, lastMs }] of uses) {
      if (running > 0 || !isOver && now() - lastMs < UNUSED_MS) continue;
      uses.delete(key);
      const removed = remove(key).catch(() => {}).finally(() => removing.delete(removed)); // the end of the server tries again
      removing.add(removed);
    }
  }

  return {
    begin(key) {
      removeUnused();
      const use = uses.get(key) ?? { running: 0, isOver: false, lastMs: now() };
      uses.set(key, use);
      use.running++;
      return () => {
        use.running--;
        use.lastMs = now();
        removeUnused();
      };
    },
    end(sessionId) {
      for (const [key, use] of uses) if (key.endsWith(`${BETWEEN}${sessionId}`)) use.isOver = true;
      removeUnused();
    },
    async close() {
      await Promise.all(removing);
    },
  };
}
