import { CHECKS_PLUGIN } from "../../../directory/plugins/rules/presets.ts";
import type { WebHookTargets } from "../../../ports/outside/web-hook-client.ts";
import type { Check } from "../model.ts";
import { withSecrets } from "../rules/secret-texts.ts";
import { ownSecond } from "../rules/standing.ts";
import { scriptOf } from "./program.ts";

const MINUTE = 60;
/** Seconds that the program gets beyond the longest timeout of its checks. */
const SPARE_SEC = 5;

/** The part of a check that is needed to ask; the rules for answers stay here. */
function orderOf(check: Check, isHurried: boolean) {
  const { id, type, timeout, url, method, body, contains, not_contains, follow, verify } = check;
  const { host, port, send, servername, starttls, name, record, resolver } = check;
  const minutes = isHurried ? 1 : check.every / MINUTE;
  return {
    ...{ id, type, timeout, minutes, turn: Math.floor(ownSecond(check) / MINUTE) % minutes },
    ...{ url, method, body, contains, not_contains, follow: Boolean(follow), verify: Boolean(verify) },
    ...{ host, port, send, servername, starttls, name, record, resolver },
    ...(type === "http" ? { headers: withSecrets(check, NO_SECRETS).headers } : {}),
  };
}

const NO_SECRETS: ReadonlyMap<string, string> = new Map();

/** Only addresses open closed targets on satellites, names never: their owners could point them there. */
const OPENS = /^(?:link-local|metadata|[\d.]+(?:\/\d+)?|[\da-f:.]*:[\da-f:.]*(?:\/\d+)?)$/i;

const inLowerCase = (entries: readonly string[]): string[] => entries.map((entry) => entry.trim().toLowerCase());

interface Asked {
  readonly checks: readonly Check[];
  /** Ids of checks that have failed, and are asked each minute until that is news. */
  readonly hurried: ReadonlySet<string>;
  readonly targets: WebHookTargets;
}

type AgentCommand = Readonly<Record<string, unknown>> & { readonly script: string };

/** The monitor plugin of a satellite that asks these checks, as agents get it. */
export function commandOf({ checks, hurried, targets: { allow, airGap } }: Asked): AgentCommand {
  const order = {
    checks: checks.map((check) => orderOf(check, hurried.has(check.id))),
    open: inLowerCase(allow).filter((entry) => OPENS.test(entry)),
    ...(airGap ? { airGap: { allow: inLowerCase(airGap.whitelist), refuse: inLowerCase(airGap.blacklist) } } : {}),
  };
  return {
    ...{ id: CHECKS_PLUGIN, title: "Checks", type: "monitor", enabled: true, groups: [], format: "json", sec: {} },
    command: "/bin/sh",
    script: scriptOf(JSON.stringify(order)),
    timeout: Math.max(...checks.map(({ timeout }) => timeout)) + SPARE_SEC,
  };
}
