import type { Cradle } from "../../../kernel/container.ts";
import type { Change } from "../model.ts";
import { changeKey } from "../rules/changes.ts";
import { createRing, type Numbered } from "../rules/ring.ts";
import { createRelay, type Hearing, type Relay } from "./relay.ts";

/** Changes, of this node and the others, gathered, numbered and kept for a while. */
export interface Journal {
  /** Changes that this node noticed: the other nodes are told. */
  note(change: Change): void;
  /** The id of an update after which everything up to this number is known. */
  idOf(seq: number): string;
  readonly seq: number;
  /** Changes after an update; undefined = not all of them are known any more. */
  since(id: string | undefined): readonly Numbered[] | undefined;
  /** True once after jobs came or went. */
  tookJobs(): boolean;
  /** A subscriber listens: from now on everything is kept. */
  want(): void;
  /** Tells the other nodes that open streams are to end. */
  tellEnd(): Promise<void>;
  /** Tells the other nodes which people are connected to this one. */
  tellConnected: Relay["sendConnected"];
  begin(): Promise<void>;
  end(): void;
}

/** Changes that a returning client gets one by one; after more of them it gets everything anew. */
const KEPT = 1000;
/** Changes within this time are told together. */
const TOGETHER_MS = 100;
/** Above this number, waiting changes are told as one: everything is new. */
const MAX_PENDING = 5000;

interface Handlers {
  /** New changes; undefined = so many, or unknown ones, that everything is to be told anew. Runs in turn. */
  readonly changed: (changes: readonly Numbered[] | undefined) => Promise<void>;
  /** Runs a piece of work after the earlier ones. */
  readonly inTurn: (work: () => Promise<void>) => void;
  /** Another node says that open streams are to end. */
  readonly ended: () => void;
  /** People are connected to another node. */
  readonly connected: Hearing["connected"];
}

function numberOf(id: string | undefined, epoch: string): number | undefined {
  const [from, seq = ""] = id?.split("-") ?? [];
  return from === epoch && /^\d{1,15}$/.test(seq) ? Number(seq) : undefined;
}

interface Gathered {
  readonly changes: Map<string, Change>;
  /** Changes among them that were noticed here. */
  readonly own: Set<Change>;
}

type Deps = Pick<Cradle, "clock" | "log" | "random" | "storage" | "transact">;

export function createJournal(deps: Deps, { changed, connected, inTurn, ended }: Handlers): Journal {
  const ring = createRing(KEPT);
  const relay = createRelay(deps);
  const epoch = Buffer.from(deps.random.bytes(6)).toString("hex");
  const gathering = createGathering(deps, () => inTurn(flush));
  /** Other nodes may have listeners where this one has none. */
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

/** Changes that wait to be told. */
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
      // With their number: a subscriber who comes then is told either that they were missed, or by the next status.
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
