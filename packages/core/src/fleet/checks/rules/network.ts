import type { Check, CheckResult, CheckState, NetworkSight } from "../model.ts";
import { HERE, isAskedHere } from "./places.ts";
import { placeIn } from "./standing.ts";

/** Stands for the network of the engine itself among checks. */
export const ENGINE = "_engine";

/** Failures that may lie on this side. */
const OURS: ReadonlySet<string> = new Set(["timeout", "refused", "dns"]);
/** Results that are as new as this are of one round. Seconds. */
const ROUND_SEC = 180;
/** Hosts of which it would be odd that all are gone at once. */
const LEAST_HOSTS = 3;
const NEAR = /^(?:localhost$|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[|::|f[cd])|\.(?:local|internal|lan)$/i;

type Asked = Pick<Check, "id" | "type" | "url" | "host" | "name" | "from">;

/** The host that the engine asks for a check; undefined for one of this network, and where others ask. */
export function publicHostOf(check: Asked): string | undefined {
  const { type, url, host, name } = check;
  if (!isAskedHere(check)) return undefined;
  const found = type === "http" ? URL.parse(url ?? "")?.hostname : type === "dns" ? name : host;
  // A record that no operation has checked tells nothing of the network.
  return typeof found === "string" && found !== "" && !NEAR.test(found) ? found.toLowerCase() : undefined;
}

/** Finds out from the last round of checks that no public host can be reached any more. `now` is Unix seconds. */
export function networkOf(
  checks: readonly Asked[],
  states: ReadonlyMap<string, CheckState>,
  now: number,
): NetworkSight {
  const recent = resultsSince(checks, states, now - ROUND_SEC);
  const hosts = new Set(recent.map(({ host }) => host)).size;
  return { hosts, all_failed: hosts >= LEAST_HOSTS && recent.every(isOurs) };
}

/** Contact with public hosts. Times are Unix seconds. */
export interface Heard {
  /** There are hosts enough to judge the network at all. */
  readonly isEnough: boolean;
  /** All of them were asked since then. */
  readonly askedAt: number;
  /** Last time that any of them was reached. */
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

/** True while it is not known, since a moment, if any public host can be reached. */
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
