import type { Clock } from "@signalbox/core/adapter";

export interface Ticks extends Disposable {
  /** Starts ticking until no peer is connected. */
  begin(): void;
}

/** Ticks all peers at each whole second, when the engine wakes anyway. Without peers there is no timer. */
export function createTicks(clock: Clock, peers: ReadonlySet<{ tick(): void }>): Ticks {
  let timer: Disposable | undefined;
  const next = (): void => {
    const now = clock.now();
    // A timer may fire a millisecond early; the mark that it was set for has then been ticked already.
    const mark = Math.round(now) + 1;
    timer = clock.after(Math.ceil((mark - now) * 1000), () => {
      timer = undefined;
      for (const peer of peers) peer.tick();
      if (peers.size > 0) next();
    });
  };
  return {
    begin: () => void (timer ?? next()),
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  };
}
