import mitt, { type Emitter } from "mitt";
import type { Logger } from "../../ports/logger.ts";
import type { SignalboxEvents } from "./events.ts";

type EventMap = { [K in keyof SignalboxEvents]: SignalboxEvents[K] };

/** Typed in-process emitter. Listeners run isolated: one that throws is logged and stops no other. */
export type EventBus = Emitter<EventMap>;

// mitt presents its default export as a namespace under `nodenext`; at run time it is the function itself.
const createEmitter = mitt as unknown as <T extends Record<string | symbol, unknown>>() => Emitter<T>;

export function createEventBus({ log }: { log: Logger }): EventBus {
  const bus = createEmitter<EventMap>();
  const wrapped = new WeakMap<object, (...values: never[]) => void>();
  const isolate = (listener: (...values: never[]) => void) => {
    const known = wrapped.get(listener);
    if (known) return known;
    const safe = (...values: never[]): void => {
      try {
        const result: unknown = listener(...values);
        if (result instanceof Promise)
          result.catch((error: unknown) => log.error({ error }, "An event listener failed"));
      } catch (error) {
        log.error({ error }, "An event listener failed");
      }
    };
    wrapped.set(listener, safe);
    return safe;
  };
  // mitt's overloads cannot be written down for one wrapped function; the public type stays exact.
  return {
    all: bus.all,
    emit: bus.emit,
    on(type: never, listener: never) {
      if (typeof listener !== "function")
        throw new TypeError(`events.on("${String(type)}"): its listener is no function`);
      bus.on(type, isolate(listener) as never);
    },
    off: (type: never, listener?: never) => bus.off(type, listener && (isolate(listener) as never)),
  } as unknown as EventBus;
}
