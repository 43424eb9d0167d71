/** A lock that one window of a browser holds at a time. The browser passes it on when that window closes. */
export interface Lock {
  /** Takes the lock from a window that does not answer. */
  takeAway(): void;
  leave(): void;
}

interface Turns {
  /** This window now holds the lock. */
  begin(): void;
  /** This window no longer holds the lock. */
  end(): void;
}

export function waitForLock(name: string, { begin, end }: Turns): Lock {
  const leaving = new AbortController();
  const { signal } = leaving;
  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      begin();
      signal.addEventListener("abort", () => resolve());
    });
  function wait(options: LockOptions): void {
    navigator.locks.request(name, options, hold).then(end, () => {
      // Another window took the lock, or this one left while it waited.
      end();
      if (!signal.aborted) wait({ signal });
    });
  }
  wait({ signal });
  return { takeAway: () => wait({ steal: true }), leave: () => leaving.abort() };
}
