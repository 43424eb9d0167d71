import type { Cradle } from "../../../../kernel/container.ts";
import { createCalendar } from "../../../../lib/time/calendar.ts";
import { rotaCollection } from "../../collection.ts";
import type { Receiver, Rota } from "../../model.ts";
import { onDuty, type Shift, shiftsOf } from "../../rules/rota/duty.ts";

/** The persons on duty. */
export interface DutyRoster {
  /** The person of a rota at a time in Unix seconds; undefined = none. */
  at(rota: Rota, time: number): string | undefined;
  /** The person behind a receiver now. */
  of(receiver: Receiver): string | undefined;
  shifts(rota: Rota, from: number, to: number): Shift[];
}

export function createDuty({ clock, definitions }: Pick<Cradle, "clock" | "definitions">): DutyRoster {
  const calendar = createCalendar();
  return {
    at: (rota, time) => onDuty(rota, time, calendar),
    of({ rota: id = "" }) {
      const rota = definitions.get(rotaCollection, id);
      return rota && onDuty(rota, clock.now(), calendar);
    },
    shifts: (rota, from, to) => shiftsOf(rota, from, to, calendar),
  };
}
