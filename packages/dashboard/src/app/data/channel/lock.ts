/** A lock that one window of a browser has at a time; the browser passes it on when that window closes. */
export interface Lock {
  /** Takes it from a window that does not answer. */
  takeAway(): void;
  leave(): void;
}

interface Turns {
  /** This window has the lock. */
  begin(): void;
  /** It has it no more. */
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
      // Taken away by another window, or left while it waited.
      end();
      if (!signal.aborted) wait({ signal });
    });
  }
  wait({ signal });
  return { takeAway: () => wait({ steal: true }), leave: () => leaving.abort() };
}
