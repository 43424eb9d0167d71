import type { Judged } from "../../../fleet/alerts/subjects/judged.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { updateIfThere } from "../../../kernel/transactions/update-if-there.ts";
import { createUnbroken } from "../../../lib/time/unbroken.ts";
import { beatCollection } from "../collection.ts";
import type { Beat, Heartbeat } from "../model.ts";
import { notAhead } from "../rules/ping.ts";
import type { SightsOf } from "./sights.ts";

/** Evaluates the alerts on heartbeats for all heartbeats that are judged; once a minute. `now` is Unix seconds. */
export type WatchHeartbeats = (now: number, signal: AbortSignal) => Promise<void>;

type Deps = Pick<Cradle, "alerts" | "apart" | "snapshot" | "transact">;

export function createWatch(
  { alerts, apart, snapshot, transact }: Deps,
  { judged }: Judged<Heartbeat>,
  sightsOf: SightsOf,
): WatchHeartbeats {
  const unbroken = createUnbroken();
  return async (now, signal) => {
    const awakeSec = now - unbroken(now);
    const heartbeats = judged();
    const beats = await snapshot((tx) => tx.collection(beatCollection).list());
    const ids = new Set(heartbeats.map(({ id }) => id));
    const from = Math.floor(now);
    const moved = (beat: Beat): Beat => {
      const isJudged = ids.has(beat.id);
      return notAhead(isJudged === (beat.from !== null) ? beat : { ...beat, from: isJudged ? from : null }, now);
    };
    const isToMove = (beat: Beat): boolean =>
      apart.now({ task: "heartbeats", noun: "State of heartbeat", id: beat.id }, () => moved(beat) !== beat) ?? false;
    const changed = beats.filter(isToMove);
    if (changed.length > 0) await transact(({ tx }) => moveAll(tx, changed, moved));
    if (!alerts.watched.isAsked("heartbeat")) return;
    const isMoved = new Set(changed.map(({ id }) => id));
    const known = new Map(beats.map((beat) => [beat.id, isMoved.has(beat.id) ? moved(beat) : beat]));
    const sights = await sightsOf(heartbeats, known, { now, signal, awakeSec });
    await alerts.watched.look("heartbeat", sights, now, signal);
  };
}

type Tx = Parameters<Parameters<Deps["transact"]>[0]>[0]["tx"];

/** Updates the stored state of changed heartbeats; a heartbeat that was not judged before is judged from this moment on. */
async function moveAll(tx: Tx, changed: readonly Beat[], moved: (beat: Beat) => Beat): Promise<void> {
  const beats = tx.collection(beatCollection);
  for (const { id } of changed) {
    await tx.lock(`heartbeats:${id}`);
    await updateIfThere(beats, id, moved);
  }
}
