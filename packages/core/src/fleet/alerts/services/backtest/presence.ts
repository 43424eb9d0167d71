import { pastPresence } from "../../rules/backtest/presence.ts";
import type { PastMinute } from "../../rules/backtest/replay.ts";
import { addMinute, type Stretch } from "../../rules/backtest/stretches.ts";

type Away = Omit<Parameters<typeof pastPresence>[0], "seen">;

/** Past values for alerts on the presence of a server, derived from the gaps between its minutes. */
export async function* presenceOver(minutes: AsyncIterable<PastMinute>, away: Away): AsyncGenerator<PastMinute> {
  const seen: Stretch[] = [];
  for await (const { date } of minutes) addMinute(seen, date);
  yield* pastPresence({ ...away, seen });
}
