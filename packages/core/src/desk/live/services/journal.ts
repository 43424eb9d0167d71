import type { Cradle } from "../../../kernel/container.ts";
import type { Change } from "../model.ts";
import { changeKey } from "../rules/changes.ts";
import { createRing, type Numbered } from "../rules/ring.ts";
import { createRelay, type Hearing, type Relay } from "./relay.ts";

/** Gathers and numbers the changes of this node and of the others, and keeps them for a while. */
export interface Journal {
  /** Records a change on this node, and sends it to the other nodes. */
  note(change: Change): void;
  /** The id of an update after which the client knows all changes up to this number. */
  idOf(seq: number): string;
  readonly seq: number;
  /** Changes after an update; undefined = some of them are no longer known. */
  since(id: string | undefined): readonly Numbered[] | undefined;
  /** True once after jobs started or ended. */
  tookJobs(): boolean;
  /** A subscriber listens, so from now on everything is kept. */
  want(): void;
  /** Notifies the other nodes that open streams must end. */
  tellEnd(): Promise<void>;
  /** Notifies the other nodes which people are connected to this one. */
  tellConnected: Relay["sendConnected"];
  begin(): Promise<void>;
  end(): void;
}

/** Maximum changes that a reconnecting client gets one by one; if it missed more, everything is sent again. */
const KEPT = 1000;
/** Milliseconds for which changes are batched. */
const TOGETHER_MS = 100;
/** Maximum pending changes; beyond it, everything is sent again. */
const MAX_PENDING = 5000;

interface Handlers {
  /** Called with new changes; undefined = too many or unknown ones, so everything must be sent again. Runs in turn. */
  readonly changed: (changes: readonly Numbered[] | undefined) => Promise<void>;
  /** Queues work after the earlier work. */
  readonly inTurn: (work: () => Promise<void>) => void;
  /** Another node says that open streams must end. */
  readonly ended: () => void;
  /** Another node says which people are connected to it. */
  readonly connected: Hearing["connected"];
}

function numberOf(id: string | undefined, epoch: string): number | undefined {
  const [from, seq = ""] = id?.split("-") ?? [];
  return from === epoch && /^\d{1,15}$/.test(seq) ? Number(seq) : undefined;
}

interface Gathered {
  readonly changes: Map<string, Change>;
  /** The changes that this node noticed. */
  readonly own: Set<Change>;
}

type Deps = Pick<Cradle, "clock" | "log" | "random" | "storage" | "transact">;

export function createJournal(deps: Deps, { changed, connected, inTurn, ended }: Handlers): Journal {
  const ring = createRing(KEPT);
  const relay = createRelay(deps);
  const epoch = Buffer.from(deps.random.bytes(6)).toString("hex");
  const gathering = createGathering(deps, () => inTurn(flush));
  /** Always true on a shared storage: other nodes may have listeners even if this one has none. */
  let isWanted = deps.storage.coordination.shared;

  async function flush(): Promise<void> {
    const { changes, own } = gathering.take();
    await relay.send([...own]);
    if (changes.size > MAX_PENDING) return startAnew();
    await changed(Array.from(changes.values(), (change) => ring.add(change)));
  }
  const startAnew = (): Promise<void> => {
    ring.clear();
    return changed(undefined);
  };

  return {
    get seq() {
      return ring.seq;
    },
    idOf: (seq) => `${epoch}-${seq}`,
    note: (change) => void (isWanted && gathering.add(change, true)),
    want: () => {
      isWanted = true;
    },
    since(id) {
      const seq = numberOf(id, epoch);
      return seq === undefined ? undefined : ring.after(seq);
    },
    tookJobs: gathering.tookJobs,
    tellEnd: relay.sendEnd,
    tellConnected: relay.sendConnected,
    begin: () => relay.begin({ take: gathering.addAll, gap: () => inTurn(startAnew), ended, connected }),
    end() {
      gathering.end();
      relay.end();
    },
  };
}

/** Gathers pending changes. */
function createGathering({ clock }: Pick<Cradle, "clock">, due: () => void) {
  let gathered: Gathered = { changes: new Map(), own: new Set() };
  let timer: Disposable | undefined;
  let jobs = false;
  const add = (change: Change, isOwn: boolean): void => {
    const { changes, own } = gathered;
    if (changes.size <= MAX_PENDING) {
      const key = changeKey(change, changes.size);
      const before = changes.get(key);
      if (before && own.delete(before)) own.add(change);
      changes.set(key, change);
      if (isOwn) own.add(change);
    }
    timer ??= clock.after(TOGETHER_MS, due);
  };
  return {
    add,
    /** Adds changes of other nodes. */
    addAll(changes: readonly Change[]): void {
      for (const change of changes) add(change, false);
    },
    take(): Gathered {
      const taken = gathered;
      gathered = { changes: new Map(), own: new Set() };
      timer = undefined;
      // Set together with their numbers: a subscriber that joins now learns of them either as missed, or with the next status.
      jobs ||= taken.changes.has("jobs");
      return taken;
    },
    tookJobs(): boolean {
      const took = jobs;
      jobs = false;
      return took;
    },
    end: (): void => timer?.[Symbol.dispose](),
  };
}
