import { createJudged, type Judged } from "../../fleet/alerts/subjects/judged.ts";
import type { WatchedSource } from "../../fleet/alerts/subjects/watched-source.ts";
import { apiAddress } from "../../kernel/config/api-address.ts";
import type { Cradle } from "../../kernel/container.ts";
import { deleteFound } from "../../kernel/searches/delete-found.ts";
import type { Unit } from "../../kernel/transactions/unit-of-work.ts";
import { byId } from "../../lib/by-id.ts";
import { sha256Hex } from "../../lib/secrecy/hash.ts";
import type { ReadTx } from "../../ports/storage/storage.ts";
import { hasWord } from "../../search/ast.ts";
import { beatCollection, heartbeatCollection, pingCollection, tokenCollection } from "./collection.ts";
import type { Heartbeat, KeptPing, Ping } from "./model.ts";
import { pastOf } from "./rules/past.ts";
import { pings } from "./rules/ping.ts";
import { timesOf } from "./rules/times.ts";
import { createPings, newBeat, type Pings } from "./services/pings.ts";
import { createSights } from "./services/sights.ts";
import { createWatch, type WatchHeartbeats } from "./services/watch.ts";

/** Work elsewhere, as its calls describe it. */
export interface HeartbeatService extends WatchedSource, Pick<Judged<Heartbeat>, "categoryOf" | "isCategoryUsed"> {
  readonly watch: WatchHeartbeats;
  readonly pings: Pings;
  /** Newest first. */
  pingsOf(tx: ReadTx, heartbeat: string): Promise<Ping[]>;
  /** Creates a token; the old one becomes invalid. */
  renewToken(unit: Pick<Unit, "tx">, heartbeat: string): Promise<{ token: string; url: string }>;
  /** Deletes everything about a heartbeat except its definition. */
  forget(unit: Pick<Unit, "tx">, heartbeat: string): Promise<void>;
}

type Deps = Pick<
  Cradle,
  "alerts" | "apart" | "clock" | "config" | "definitions" | "ids" | "scheduler" | "snapshot" | "transact"
>;

export function createHeartbeats(deps: Deps): HeartbeatService {
  const own = createJudged(deps, heartbeatCollection, "heartbeat");
  const { countOf, categoryOf, isCategoryUsed } = own;
  const sightsOf = createSights(deps, own);
  return {
    watch: createWatch(deps, own, sightsOf),
    pings: createPings(deps),
    async visible(tx, actor, id) {
      const heartbeats = own.shown(actor, id);
      const beats = await tx.collection(beatCollection).getMany(heartbeats.map((each) => each.id));
      const known = byId(beats);
      return sightsOf(heartbeats, known, { now: deps.clock.now() });
    },
    async *past(id, { read, ...span }) {
      const heartbeat = own.judged().find((each) => each.id === id);
      if (!heartbeat) return;
      const calls = await read((tx) => pingsOf(tx, id));
      const times = timesOf(heartbeat, deps.scheduler.rules);
      yield* pastOf(
        heartbeat,
        calls.toSorted((a, b) => a.date - b.date),
        { ...span, times },
      );
    },
    pingsOf,
    ...storedParts(deps),
    countOf,
    categoryOf,
    isCategoryUsed,
  };
}

const shownPing = ({ id: _kept, ...ping }: KeptPing): Ping => ping;

async function pingsOf(tx: ReadTx, heartbeat: string): Promise<Ping[]> {
  const beat = await tx.collection(beatCollection).get(heartbeat);
  const rows = beat ? await tx.collection(pingCollection).getMany(pings.idsOf(beat)) : [];
  return rows.flatMap((row) => (row ? [shownPing(row)] : []));
}

function storedParts({ config, ids }: Deps): Pick<HeartbeatService, "forget" | "renewToken"> {
  const dropToken = (tx: Unit["tx"], heartbeat: string): Promise<number> =>
    deleteFound(tx.collection(tokenCollection), hasWord("heartbeat", heartbeat));
  return {
    async renewToken({ tx }, heartbeat) {
      await tx.lock(`heartbeats:${heartbeat}`);
      await dropToken(tx, heartbeat);
      const token = ids.token();
      await tx.collection(tokenCollection).insert({ id: sha256Hex(token), heartbeat });
      const beats = tx.collection(beatCollection);
      if (!(await beats.get(heartbeat))) await beats.insert(newBeat(heartbeat));
      return { token, url: apiAddress(config, `heartbeat/${token}`) };
    },
    async forget({ tx }, heartbeat) {
      await tx.lock(`heartbeats:${heartbeat}`);
      await dropToken(tx, heartbeat);
      const beat = await tx.collection(beatCollection).get(heartbeat);
      if (!beat) return;
      await tx.collection(pingCollection).deleteMany(pings.idsOf(beat));
      await tx.collection(beatCollection).delete(heartbeat);
    },
  };
}
