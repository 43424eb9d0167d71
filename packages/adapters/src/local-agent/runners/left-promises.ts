import { AsyncLocalStorage } from "node:async_hooks";

/** Marks our listeners, whichever copy of this module made them: a rejection that only they hear still has no owner. */
const OURS = Symbol.for("signalbox.leftPromises");

export interface LeftPromises<Owner> {
  /** Does the work; a promise that it makes, does not wait for and that rejects is told with its owner. */
  run<R>(owner: Owner, work: () => R): R;
  /** Leaves rejections to Node again. */
  stop(): void;
}

/**
 * Catches the rejections that functions of the host leave behind: Node would end the host's process for them. The
 * host's own rejections end it as they would without us. Listens from the first run until `stop`.
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

/** True when only engines listen, none of them knows the promise, and this one is the first. */
function isLastResort(listener: Listener): boolean {
  const all = process.listeners("unhandledRejection") as readonly Listener[];
  return all[0] === listener && all.every((each) => each[OURS] && !each.isOwner?.());
}

/** Throws in the listener, which is an uncaught exception, as Node does with a rejection without listeners. */
function endAsNodeWould(reason: unknown): void {
  // biome-ignore lint/plugin: how this process was asked to end is no setting of ours.
  const mode = /--unhandled-rejections=(\S+)/.exec([...process.execArgv, process.env["NODE_OPTIONS"]].join(" "))?.[1];
  if (mode === "none") return;
  if (mode?.startsWith("warn")) process.emitWarning(`Unhandled promise rejection: ${String(reason)}`);
  else throw reason;
}
