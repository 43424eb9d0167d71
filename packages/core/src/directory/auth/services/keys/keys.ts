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
 * The record that a plain key opens, its request counted. Never waits: keys are most of the traffic. The address of a
 * client is asked for when its key is unknown alone: to work it out costs more than to find a key. Throws
 * `SessionError` for an unknown key, `InputError` for one that is out of use, `RateError` for one over its rate and for
 * too many unknown ones of an address.
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

/** Counts a request; throws when its key is over its rate. The windows of deleted keys go with the first full map. */
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
