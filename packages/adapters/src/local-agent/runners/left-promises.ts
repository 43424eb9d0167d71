import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Marks our listeners, also the listeners of other copies of this module: a rejection that only they receive still counts as unhandled.
 */
const OURS = Symbol.for("signalbox.leftPromises");

export interface LeftPromises<Owner> {
  /** Does the work; reports a rejection of a promise that the work created but did not await, with its owner. */
  run<R>(owner: Owner, work: () => R): R;
  /** Stops listening, so that Node.js handles rejections again. */
  stop(): void;
}

/**
 * Catches unhandled rejections of host functions, for which Node.js would end the host's process. Other rejections of the host
 * end the process as they would without this module. Listens from the first run until `stop`.
 */
export function createLeftPromises<Owner>(tell: (owner: Owner, reason: unknown) => void): LeftPromises<Owner> {
  const owners = new AsyncLocalStorage<{ readonly owner: Owner }>();
  const listener = Object.assign(
    (reason: unknown): void => {
      const found = owners.getStore();
      if (found) tell(found.owner, reason);
      else if (isLastResort(listener)) endAsNodeWould(reason);
    },
    { [OURS]: true as const, isOwner: (): boolean => owners.getStore() !== undefined },
  );
  let listens = false;
  return {
    run(owner, work) {
      if (!listens) process.on("unhandledRejection", listener);
      listens = true;
      return owners.run({ owner }, work);
    },
    stop() {
      process.removeListener("unhandledRejection", listener);
      listens = false;
    },
  };
}

interface Listener {
  readonly [OURS]?: true;
  isOwner?(): boolean;
}

/** True when there are only listeners of engines, none of them owns the promise, and this one is the first. */
function isLastResort(listener: Listener): boolean {
  const all = process.listeners("unhandledRejection") as readonly Listener[];
  return all[0] === listener && all.every((each) => each[OURS] && !each.isOwner?.());
}

/** Throws in the listener, which becomes an uncaught exception, as when Node.js finds no listeners. */
function endAsNodeWould(reason: unknown): void {
  // biome-ignore lint/plugin: how this process was asked to end is no setting of ours.
  const mode = /--unhandled-rejections=(\S+)/.exec([...process.execArgv, process.env["NODE_OPTIONS"]].join(" "))?.[1];
  if (mode === "none") return;
  if (mode?.startsWith("warn")) process.emitWarning(`Unhandled promise rejection: ${String(reason)}`);
  else throw reason;
}
