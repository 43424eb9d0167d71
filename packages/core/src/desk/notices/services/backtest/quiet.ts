import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import type { QuietTime } from "../../../../fleet/alerts/rules/backtest/holds.ts";
import { severityOf } from "../../../../fleet/alerts/rules/definition/severity.ts";
import type { Silence } from "../../../../fleet/silences/model.ts";
import { concerns } from "../../../../fleet/silences/rules/in-force.ts";
import { addWindow, type Window, windowsIn } from "../../../../fleet/silences/rules/windows.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createCalendar, OWN_ZONE } from "../../../../lib/time/calendar.ts";
import type { PastSpan } from "./past.ts";

const DAY = 86_400;

/** Times at which silences apply to a firing. */
export interface Silences {
  about(alert: Alert, subject: SilencedSubject): Promise<QuietTime[]>;
}

export type SilencedSubject = Pick<Invocation, "server" | "subject"> & { readonly groups: readonly string[] };

/** Evaluates tried-out silences over a span of the past. Each is evaluated once; a recurring one minute by minute. */
export function createPastSilences(
  { config }: Pick<Cradle, "config">,
  silences: readonly Silence[],
  span: PastSpan,
  breathe: () => Promise<void>,
): Silences {
  const rules = { calendar: createCalendar(), zone: config.tz ?? OWN_ZONE };
  const known = new Map<Silence, QuietTime[]>();
  const windows = async (silence: Silence): Promise<QuietTime[]> => {
    const { id, title } = silence;
    const found: Window[] = [];
    // Evaluates a recurring silence one day at a time, which takes a millisecond or two.
    for (let from = span.from; from < span.to; from += DAY) {
      for (const each of windowsIn(silence, { from, to: Math.min(from + DAY, span.to) }, rules)) addWindow(found, each);
      await breathe();
    }
    return found.map((each) => ({ ...each, by: { kind: "silence", id, title } }));
  };
  return {
    async about(alert, { server, subject, groups }) {
      const named = subject ? { [subject.type]: subject.id } : {};
      const about = {
        server,
        ...named,
        groups,
        alert: alert.id,
        severity: severityOf(alert, subject),
        tags: alert.tags ?? [],
      };
      const found: QuietTime[] = [];
      for (const silence of silences) {
        if (!concerns(silence, about)) continue;
        const own = known.get(silence) ?? (await windows(silence));
        known.set(silence, own);
        found.push(...own);
      }
      return found;
    },
  };
}
