import { activeUsers } from "../../../../directory/users/active-users.ts";
import { definitionIn } from "../../../../kernel/apart.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath, takeSteps } from "../../../../kernel/running/breath.ts";
import { createCalendar } from "../../../../lib/time/calendar.ts";
import { rotaCollection } from "../../collection.ts";
import type { Receiver, Rota } from "../../model.ts";
import { onDuty, type Shift, shiftsOf, withGaps } from "../../rules/rota/duty.ts";
import { soundRota } from "../../rules/rota/rota-record.ts";

/** The people on duty. If the person in turn is unknown or inactive, nobody is on duty: the next in turn does not step in. */
export interface DutyRoster {
  /** The person of a rota at a time in Unix seconds; undefined = none. */
  at(rota: Rota, time: number): string | undefined;
  /** The person behind a receiver now. */
  of(receiver: Receiver): string | undefined;
  /** The shifts of a span; yields to other work in between. */
  shifts(rota: Rota, from: number, to: number): Promise<Shift[]>;
}

export function createDuty({ apart, clock, definitions }: Pick<Cradle, "apart" | "clock" | "definitions">): DutyRoster {
  const calendar = createCalendar();
  const isThere = (user: string): boolean => activeUsers({ definitions }, [user]).length > 0;
  /** The person according to the valid layers and overrides; undefined if the time zone is unknown. */
  const whoElse = (rota: Rota, time: number): string | undefined => {
    const sound = soundRota(rota);
    return apart.now(definitionIn("notices", "Rota", rota.id), () => onDuty(sound, time, calendar));
  };
  const at = (rota: Rota, time: number): string | undefined => {
    const about = definitionIn("notices", "Rota", rota.id);
    const user = apart.now(about, () => onDuty(rota, time, calendar)) ?? whoElse(rota, time);
    return user !== undefined && isThere(user) ? user : undefined;
  };
  return {
    at,
    of({ rota: id }) {
      const rota = definitions.get(rotaCollection, id ?? "");
      return rota && at(rota, clock.now());
    },
    async shifts(rota, from, to) {
      const steps = shiftsOf(soundRota(rota), from, to, calendar);
      const about = definitionIn("notices", "Rota", rota.id);
      const shifts = await apart.run(about, () => takeSteps(steps, createBreath(clock)));
      return withGaps(shifts ?? [{ start: from, end: to }], isThere);
    },
  };
}
