import type { Client } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { InputError, RateError, SessionError } from "../../../../kernel/errors/errors.ts";
import type { ApiKey } from "../../../api-keys/model.ts";
import { countRequest, isOverRate, type RateWindow } from "../../rules/rate.ts";
import { createKeyFinder } from "./key-finder.ts";
import { createUnknownKeyCount } from "./unknown-keys.ts";

const WINDOWS = 100_000;

type Deps = Pick<Cradle, "clock" | "definitions" | "keyUses">;

/**
 * Returns the record that a plain key opens and counts the request. Synchronous, because keys are most of the traffic. Reads the
 * client's address only when the key is unknown, because determining it costs more than finding a key. Throws `SessionError` for
 * an unknown key, `InputError` for a disabled or expired one, `RateError` for one over its rate and when an address has sent too
 * many unknown keys.
 */
export function createKeyCheck({
  definitions,
  clock,
  keyUses,
}: Deps): (plain: string, client: Pick<Client, "ip">) => ApiKey {
  const findKey = createKeyFinder(definitions);
  const countRate = createRateCount();
  const countUnknown = createUnknownKeyCount(clock);
  return (plain, client) => {
    const record = findKey(plain);
    if (!record) {
      countUnknown(client.ip);
      throw new SessionError("Invalid API Key");
    }
    const now = clock.now();
    if (!record.active) throw new InputError("API Key is disabled");
    if (record.expires && now >= record.expires) throw new InputError("API Key is expired");
    countRate(record, now);
    keyUses.note(record.id, now);
    return record;
  };
}

/**
 * Counts a request; throws when its key exceeds its rate. Windows of deleted keys are dropped when the map is full and cleared.
 */
function createRateCount(): (record: ApiKey, now: number) => void {
  const windows = new Map<string, RateWindow>();
  return (record, now) => {
    if (!record.max_per_sec) return;
    const window = countRequest(windows.get(record.id), now);
    if (windows.size >= WINDOWS) windows.clear();
    windows.set(record.id, window);
    if (isOverRate(window, record.max_per_sec))
      throw new RateError(`API Key has exceeded rate limit (${record.max_per_sec}/sec)`);
  };
}
