import { presenceOf } from "../evaluation/presence.ts";
import type { PastMinute } from "./replay.ts";
import { lastBy, type Stretch } from "./stretches.ts";

interface Away {
  readonly server: Parameters<typeof presenceOf>[0]["server"];
  readonly isEphemeral: boolean;
  /** Minutes in which the server reported. */
  readonly seen: readonly Stretch[];
  /** Unix seconds. */
  readonly until: number;
}

const MINUTE = 60;
/** Seconds without a report after which the server counts as offline: it may report at any second of a minute. */
const ONLINE_SEC = 90;

/** Past values for alerts on the presence of a server, minute by minute, from its first report on. */
export function* pastPresence({ server, isEphemeral, seen, until }: Away): Generator<PastMinute> {
  const [first] = seen;
  if (!first) return;
  for (let date = first.from; date <= until; date += MINUTE) {
    const lastContact = lastBy(seen, date) ?? date;
    const isOnline = date - lastContact <= ONLINE_SEC;
    const presence = presenceOf({ server, isEphemeral, isOnline, isLeaving: false, lastContact, now: date });
    yield { date, context: { presence } };
  }
}
