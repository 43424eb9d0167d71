import { groupRecords } from "../../../directory/groups/records.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { equal } from "../../../search/ast.ts";
import { snapshotCollection } from "../collection.ts";
import type { GroupSnapshots } from "./group-snapshots.ts";
import type { TakeServerSnapshot } from "./server-snapshots.ts";

export type Watched = "servers" | "groups";

/** Takes a snapshot every minute for a while (docs/contract/servers.md#watches). */
export interface Watches {
  /** Watches a target for `seconds` from now; 0 ends the watch at once. */
  set(context: Pick<CommandContext, "now" | "services" | "tx">, of: WatchTarget, seconds: number): Promise<void>;
  /** Called when a minute of a server has been stored. */
  minute(server: string): void;
  /**
   * Takes snapshots of all watched groups, in the second half of each minute. Once per group and minute, on the leader.
   */
  groups(now: number, signal: AbortSignal): Promise<void>;
  /** Removes watches that have ended. */
  prune(now: number): Promise<void>;
  /** Waits for snapshots that are being taken. */
  idle(): Promise<void>;
}

export interface WatchTarget {
  readonly kind: Watched;
  readonly id: string;
}

const keyOf = ({ kind, id }: WatchTarget): string => `watches.${kind}.${id}`;

/** Seconds of the minute between which group snapshots are taken; a later pass skips the minute. */
const GROUPS_FROM = 30;
const GROUPS_TO = 45;

type Deps = Pick<Cradle, "definitions" | "log" | "servers" | "snapshot" | "state" | "transact">;

export function createWatches(
  deps: Deps,
  { takeServer, group }: { readonly takeServer: TakeServerSnapshot; readonly group: GroupSnapshots },
): Watches {
  const { log, state, transact } = deps;
  const endOf = (kind: Watched, id: string): number => Number(state.below(`watches.${kind}`).get(id) ?? 0);

  const takeMinute = async (id: string): Promise<void> => {
    const server = deps.servers.get(id);
    const record = deps.servers.latest(id);
    if (!server || !record || record.date > endOf("servers", id)) return;
    const origin = { source: "watch", key: `watch:${id}:${record.date}` } as const;
    await transact((unit) => takeServer(unit, { groups: server.groups, record }, origin));
  };
  const queue = createIdQueue(takeMinute, (server, error) =>
    log.error({ server, error }, "A watched server could not be recorded"),
  );

  const takeGroup = createTakeGroup(deps, group);
  return {
    set: ({ now, services, tx }, of, seconds) =>
      services.state.set(tx, keyOf(of), seconds === 0 ? undefined : now + seconds),
    minute(server) {
      if (endOf("servers", server) > 0) queue.push(server);
    },
    async groups(now, signal) {
      const second = now % 60;
      if (second < GROUPS_FROM || second >= GROUPS_TO) return;
      for (const id of state.below("watches.groups").keys()) {
        if (signal.aborted) return;
        if (now >= endOf("groups", id)) continue;
        await takeGroup(id, Math.floor(now / 60)).catch((error: unknown) =>
          log.error({ group: id, error }, "A watched group could not be recorded"),
        );
      }
    },
    prune: (now) => pruneWatches(deps, now),
    idle: queue.idle,
  };
}

/** Takes the snapshot of a group for a minute, unless that minute already has one. */
function createTakeGroup({ definitions, snapshot, transact }: Deps, group: GroupSnapshots) {
  return async (id: string, minute: number): Promise<void> => {
    const definition = definitions.get(groupRecords, id);
    const key = `watch:${id}:${minute}`;
    const taken = await snapshot((tx) => tx.collection(snapshotCollection).find(equal("key", key), { limit: 1 }));
    if (!definition || taken.total > 0) return;
    const draft = await group.draft(definition, { source: "watch", key });
    await group.stage(draft);
    await transact((unit) => group.store(unit, draft));
  };
}

async function pruneWatches({ state, transact }: Deps, now: number): Promise<void> {
  const over = (["servers", "groups"] as const).flatMap((kind) =>
    [...state.below(`watches.${kind}`)].flatMap(([id, end]) => (Number(end) < now ? [keyOf({ kind, id })] : [])),
  );
  if (over.length === 0) return;
  await transact(async ({ tx }) => {
    // The watch may have been set again since.
    for (const key of over) if (Number(await state.read(tx, key)) < now) await state.set(tx, key, undefined);
  });
}

const CONCURRENCY = 4;

/** Queue of servers that wait for their snapshot. It deduplicates waiting servers, and works on a few at a time. */
function createIdQueue(work: (id: string) => Promise<void>, failed: (id: string, error: unknown) => void) {
  const waiting = new Set<string>();
  const running = new Set<Promise<void>>();
  const drain = async (): Promise<void> => {
    for (const id of waiting) {
      waiting.delete(id);
      await work(id).catch((error: unknown) => failed(id, error));
    }
  };
  const begin = (): void => {
    if (waiting.size === 0 || running.size >= CONCURRENCY) return;
    const run = drain().finally(() => {
      running.delete(run);
      begin();
    });
    running.add(run);
  };
  return {
    push(id: string): void {
      waiting.add(id);
      begin();
    },
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
