import type { Check, CheckResult, CheckState, NetworkSight } from "../model.ts";
import { HERE, isAskedHere } from "./places.ts";
import { placeIn } from "./standing.ts";

/** Id under which the engine's own network appears among the checks. */
export const ENGINE = "_engine";

/** Failures that may be caused by the engine's own network. */
const OURS: ReadonlySet<string> = new Set(["timeout", "refused", "dns"]);
/** Results not older than this belong to the current round. Seconds. */
const ROUND_SEC = 180;
/** Fewest hosts to judge by: that many are unlikely to fail by themselves at once. */
const LEAST_HOSTS = 3;
const NEAR = /^(?:localhost$|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[|::|f[cd])|\.(?:local|internal|lan)$/i;

type Asked = Pick<Check, "id" | "type" | "url" | "host" | "name" | "from">;

/**
 * The host that the engine probes for a check. Undefined for a host on the local network, and for a check that the
 * engine does not probe itself.
 */
export function publicHostOf(check: Asked): string | undefined {
  const { type, url, host, name } = check;
  if (!isAskedHere(check)) return undefined;
  const found = type === "http" ? URL.parse(url ?? "")?.hostname : type === "dns" ? name : host;
  // An imported record may be invalid; then it says nothing about the network.
  return typeof found === "string" && found !== "" && !NEAR.test(found) ? found.toLowerCase() : undefined;
}

/** Judges from the latest round of checks whether any public host can still be reached. `now` is Unix seconds. */
export function networkOf(
  checks: readonly Asked[],
  states: ReadonlyMap<string, CheckState>,
  now: number,
): NetworkSight {
  const recent = resultsSince(checks, states, now - ROUND_SEC);
  const hosts = new Set(recent.map(({ host }) => host)).size;
  return { hosts, all_failed: hosts >= LEAST_HOSTS && recent.every(isOurs) };
}

/** Latest contact with public hosts. Times are Unix seconds. */
export interface Heard {
  /** True when there are enough hosts to judge the network at all. */
  readonly isEnough: boolean;
  /** Every host was probed at or after this time. */
  readonly askedAt: number;
  /** When any of them was last reached. */
  readonly reachedAt: number;
}

export function heardOf(checks: readonly Asked[], states: ReadonlyMap<string, CheckState>): Heard {
  const asked = checks.flatMap((check) => publicHostOf(check) ?? []);
  const all = resultsSince(checks, states, Number.NEGATIVE_INFINITY);
  const latest = (recent: readonly Recent[]): number[] => recent.map(({ latest: { date } }) => date);
  return {
    isEnough: new Set(asked).size >= LEAST_HOSTS,
    askedAt: all.length < asked.length ? Number.NEGATIVE_INFINITY : Math.min(...latest(all)),
    reachedAt: Math.max(...latest(all.filter((each) => !isOurs(each)))),
  };
}

/** True while it is unknown whether any public host could be reached since the given moment. */
export const isNetworkUnknown = ({ isEnough, askedAt, reachedAt }: Heard, since: number): boolean =>
  isEnough && askedAt < since && reachedAt < since;

interface Recent {
  readonly host: string;
  readonly latest: CheckResult;
}

const isOurs = ({ latest }: Recent): boolean => !latest.ok && OURS.has(latest.reason ?? "");

const resultsSince = (checks: readonly Asked[], states: ReadonlyMap<string, CheckState>, since: number): Recent[] =>
  checks.flatMap((check) => {
    const { latest } = placeIn(states.get(check.id), HERE) ?? {};
    const host = publicHostOf(check);
    return host !== undefined && latest && latest.date >= since ? [{ host, latest }] : [];
  });
