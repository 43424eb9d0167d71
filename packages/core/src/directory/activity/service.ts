import { type Actor, type Client, causeOf } from "../../kernel/calls/context.ts";
import type { EventBus } from "../../kernel/plugins/event-bus.ts";
import type { Services } from "../../kernel/plugins/services.ts";
import { createBreath } from "../../kernel/running/breath.ts";
import type { Clock } from "../../ports/clock.ts";
import type { IdGenerator } from "../../ports/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import type { WriteTx } from "../../ports/storage/storage.ts";
import { activityCollection } from "./collection.ts";
import type { Activity } from "./model.ts";
import { isCausedByHook } from "./rules/cause.ts";
import { type ActivityEntry, buildActivity } from "./rules/row.ts";

/** An entry with its caller and client. */
interface SignedEntry {
  readonly entry: ActivityEntry;
  readonly actor: Actor;
  readonly client: Client;
}

/** Writes the activity log in the transaction of the logged change. */
export interface ActivityLog {
  write(tx: WriteTx, entry: ActivityEntry, actor: Actor, client: Client): Promise<void>;
  /** Writes several rows with few statements, and yields to other work between them. */
  writeMany(tx: WriteTx, entries: readonly SignedEntry[]): Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Absent = no system hook runs. */
  readonly hooks?: Services["hooks"];
  /** Absent = no in-process event is emitted. */
  readonly events?: EventBus;
  /** Absent = no line is logged. */
  readonly log?: Logger;
  /** Counts actions per day. Read lazily, only when there is something to count, because it writes rows itself. */
  readonly jobs?: Services["jobs"];
}

/** Rows per statement. */
const TOGETHER = 50;

/** The jobs domain counts this action itself when it happens, with or without a row. */
const COUNTED_BY_JOBS = "job_abort";

/** The end of an alert for lack of data has a row but no counter (docs/contract/alerts.md#silence-of-a-server). */
const isCounted = ({ action, stale }: Activity): boolean => action !== COUNTED_BY_JOBS && stale !== true;

export function createActivityLog(deps: Deps): ActivityLog {
  const { clock } = deps;
  const { writeOne: write, writeSome } = createWriting(deps);
  return {
    write,
    async writeMany(tx, entries) {
      const [only, ...others] = entries;
      if (!only) return;
      if (others.length === 0) return write(tx, only.entry, only.actor, only.client);
      const breathe = createBreath(clock);
      for (let start = 0; start < entries.length; start += TOGETHER) {
        await writeSome(tx, entries.slice(start, start + TOGETHER));
        await breathe();
      }
    },
  };
}

/** Builds and inserts rows, and emits them. */
function createWriting(deps: Deps) {
  const { clock, ids, hooks, events, log } = deps;
  const build = ({ entry, actor, client }: SignedEntry): Activity =>
    buildActivity(entry, {
      id: ids.short("a"),
      now: Math.floor(clock.now()),
      username: actor.id,
      ip: client.ip,
      ips: client.ips,
      headers: client.headers,
      userAgent: client.userAgent,
      cause: causeOf(actor, client),
    });
  const tell = async (tx: WriteTx, row: Activity, { detail }: ActivityEntry): Promise<void> => {
    tx.afterCommit(() => {
      events?.emit("activity.logged", { id: row.id, action: row.action });
      log?.debug(lineFields(row), row.description || row.action);
      if (isCounted(row)) deps.jobs?.stats.count([row.action]);
    });
    if (!isCausedByHook(detail)) await hooks?.noteActivity(tx, row);
  };
  const writeOne: ActivityLog["write"] = async (tx, entry, actor, client) => {
    const row = build({ entry, actor, client });
    await tx.collection(activityCollection).insert(row);
    await tell(tx, row, entry);
  };
  const writeSome: ActivityLog["writeMany"] = async (tx, entries) => {
    const written = entries.map((signed) => ({ row: build(signed), entry: signed.entry }));
    await tx.collection(activityCollection).insertMany(written.map(({ row }) => row));
    for (const { row, entry } of written) await tell(tx, row, entry);
  };
  return { writeOne, writeSome };
}

/** Fields of the line about a row (docs/contract/administration.md#logs). They leave out the changed record. */
const lineFields = ({ id, action, username, admin, ip }: Activity) => ({
  ...{ component: "Transaction", code: action, activity: id, username },
  ...(admin === undefined ? {} : { admin }),
  ip,
});
