import { definitionIn } from "../../kernel/apart.ts";
import type { Cradle } from "../../kernel/container.ts";
import { createCalendar, OWN_ZONE } from "../../lib/time/calendar.ts";
import type { ReadTx } from "../../ports/storage/storage.ts";
import { silenceCollection } from "./collection.ts";
import type { Silence, SilencedBy, Subject } from "./model.ts";
import { concerns, isInForce } from "./rules/in-force.ts";

/** Silences that hold notifications of alerts back. They are consulted at the moment of sending. */
export interface SilenceService {
  /** The silence, or the job on the server, that holds back notifications about a subject now; undefined = none. */
  find(tx: ReadTx, subject: Subject): Promise<SilencedBy | undefined>;
  isInForce(silence: Silence): boolean;
  named(id: string): Silence | undefined;
  /** Deletes silences that ended long ago; `now` is Unix seconds. */
  forget(now: number): Promise<void>;
}

/** The end of a recurring window is not known here. */
const untilOf = ({ end, recurring }: Silence): Pick<SilencedBy, "until"> =>
  end === null || recurring ? {} : { until: end };

/** Seconds that an ended silence is kept: it explains why nothing was sent, and people may ask about that later. */
const KEPT_SEC = 90 * 86_400;

type Needs = Pick<Cradle, "activeJobs" | "apart" | "clock" | "config" | "definitions" | "transact">;

export function createSilences({ activeJobs, apart, clock, config, definitions, transact }: Needs): SilenceService {
  const calendar = createCalendar();
  const zone = (): string => config.tz ?? OWN_ZONE;
  const inForce = (silence: Silence): boolean => isInForce(silence, clock.now(), { calendar, zone: zone() });
  return {
    isInForce: inForce,
    named: (id) => definitions.get(silenceCollection, id),
    async find(tx, subject) {
      const isQuiet = (each: Silence): boolean | undefined =>
        apart.now(definitionIn("notices", "Silence", each.id), () => concerns(each, subject) && inForce(each));
      const silence = definitions.all(silenceCollection).find(isQuiet);
      if (silence) return { kind: "silence", id: silence.id, title: silence.title, ...untilOf(silence) };
      const job = await activeJobs.silencer(tx, subject.server);
      return job && { kind: "job", id: job.id, title: job.event };
    },
    async forget(now) {
      const ended = definitions.all(silenceCollection).filter(({ end }) => end !== null && end < now - KEPT_SEC);
      const forgetOne = (silence: Silence): Promise<void> =>
        transact(async ({ tx, audit, emit }) => {
          if (!(await tx.collection(silenceCollection).delete(silence.id))) return;
          audit("silence_delete", { silence });
          emit("silence.deleted", { id: silence.id });
        });
      for (const silence of ended)
        await apart.run(definitionIn("the removal of old silences", "Silence", silence.id), () => forgetOne(silence));
    },
  };
}
