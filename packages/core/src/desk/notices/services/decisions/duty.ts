import { activeUsers } from "../../../../directory/users/active-users.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath, takeSteps } from "../../../../kernel/running/breath.ts";
import { createCalendar } from "../../../../lib/time/calendar.ts";
import { rotaCollection } from "../../collection.ts";
import type { Receiver, Rota } from "../../model.ts";
import { onDuty, type Shift, shiftsOf, withGaps } from "../../rules/rota/duty.ts";

/** The persons on duty. A user who is unknown or not active is nobody: the next one in turn does not step in. */
export interface DutyRoster {
  /** The person of a rota at a time in Unix seconds; undefined = none. */
  at(rota: Rota, time: number): string | undefined;
  /** The person behind a receiver now. */
  of(receiver: Receiver): string | undefined;
  /** Gives others their turns in between. */
  shifts(rota: Rota, from: number, to: number): Promise<Shift[]>;
}

/** Of calls, which are short. */
const UNSTOPPED = new AbortController().signal;

export function createDuty({ clock, definitions }: Pick<Cradle, "clock" | "definitions">): DutyRoster {
  const calendar = createCalendar();
  const isThere = (user: string): boolean => activeUsers({ definitions }, [user]).length > 0;
  const at = (rota: Rota, time: number): string | undefined => {
    const user = onDuty(rota, time, calendar);
    return user !== undefined && isThere(user) ? user : undefined;
  };
  return {
    at,
    of({ rota: id }) {
      const rota = definitions.get(rotaCollection, id ?? "");
      return rota && at(rota, clock.now());
    },
    async shifts(rota, from, to) {
      const shifts = await takeSteps(shiftsOf(rota, from, to, calendar), createBreath(clock, UNSTOPPED));
      return withGaps(shifts, isThere);
    },
  };
}
