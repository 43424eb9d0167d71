import mitt, { type Emitter } from "mitt";
import { frozenCopy } from "../../lib/json/copy-data.ts";
import type { Logger } from "../../ports/logger.ts";
import type { SignalboxEvents } from "./events.ts";

type EventMap = { [K in keyof SignalboxEvents]: SignalboxEvents[K] };

/**
 * Typed in-process emitter. Listeners are isolated: one that throws is logged and does not stop the others. They receive one
 * frozen copy of the payload, made only if something listens, so that no listener can change records of the engine.
 */
export type EventBus = Emitter<EventMap>;

// mitt presents its default export as a namespace under `nodenext`; at run time it is the function itself.
const createEmitter = mitt as unknown as <T extends Record<string | symbol, unknown>>() => Emitter<T>;

const readers = new WeakSet<object>();

/** Marks an internal listener that reads only scalars of a payload, so that it needs no copy of the payload's records. */
export function ofScalars<Listener extends object>(listener: Listener): Listener {
  readers.add(listener);
  return listener;
}

export const isOfScalars = (listener: object): boolean => readers.has(listener);

export function createEventBus({ log }: { log: Logger }): EventBus {
  const bus = createEmitter<EventMap>();
  const wrapped = new WeakMap<object, (...values: never[]) => void>();
  const copies = new WeakMap<object, object>();
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const copy = copies.get(value) ?? frozenCopy(value);
    copies.set(value, copy);
    return copy;
  };
  const isolate = (listener: (...values: never[]) => void) => {
    const known = wrapped.get(listener);
    if (known) return known;
    const safe = (...values: never[]): void => {
      try {
        const given = isOfScalars(listener) ? values : values.map(copyOf);
        const result: unknown = listener(...(given as never[]));
        if (result instanceof Promise)
          result.catch((error: unknown) => log.error({ error }, "An event listener failed"));
      } catch (error) {
        log.error({ error }, "An event listener failed");
      }
    };
    wrapped.set(listener, safe);
    return safe;
  };
  // mitt's overloads cannot be expressed for one wrapped function; the public type stays exact.
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
