import { CHECKS_PLUGIN } from "../../../directory/plugins/rules/presets.ts";
import type { WebHookTargets } from "../../../ports/outside/web-hook-client.ts";
import type { Check } from "../model.ts";
import { withSecrets } from "../rules/secret-texts.ts";
import { ownSecond } from "../rules/standing.ts";
import { scriptOf } from "./program.ts";

const MINUTE = 60;
/** Seconds that the program may take beyond the longest timeout of its checks. */
const SPARE_SEC = 5;

/** The members of a check that a satellite needs for the probe. The rules for judging answers stay on the engine. */
function orderOf(check: Check, isHurried: boolean) {
  const { id, type, timeout, url, method, body, contains, not_contains, follow, verify } = check;
  const { host, port, send, servername, starttls, name, record, resolver } = check;
  const minutes = isHurried ? 1 : check.every / MINUTE;
  return {
    id,
    type,
    timeout,
    minutes,
    turn: Math.floor(ownSecond(check) / MINUTE) % minutes,
    url,
    method,
    body,
    contains,
    not_contains,
    follow: Boolean(follow),
    verify: Boolean(verify),
    host,
    port,
    send,
    servername,
    starttls,
    name,
    record,
    resolver,
    ...(type === "http" ? { headers: withSecrets(check, NO_SECRETS).headers } : {}),
  };
}

const NO_SECRETS: ReadonlyMap<string, string> = new Map();

/**
 * On satellites, only entries that are addresses open closed targets. Names never do: the owner of a name could point
 * it at such a target.
 */
const OPENS = /^(?:link-local|metadata|[\d.]+(?:\/\d+)?|[\da-f:.]*:[\da-f:.]*(?:\/\d+)?)$/i;

const inLowerCase = (entries: readonly string[]): string[] => entries.map((entry) => entry.trim().toLowerCase());

interface Asked {
  readonly checks: readonly Check[];
  /** Ids of checks that have failed, and run every minute while they may still be retried. */
  readonly hurried: ReadonlySet<string>;
  readonly targets: WebHookTargets;
}

type AgentCommand = Readonly<Record<string, unknown>> & { readonly script: string };

/** The monitor plugin, in the form that agents receive, that makes a satellite run these checks. */
export function commandOf({ checks, hurried, targets: { allow, airGap } }: Asked): AgentCommand {
  const order = {
    checks: checks.map((check) => orderOf(check, hurried.has(check.id))),
    open: inLowerCase(allow).filter((entry) => OPENS.test(entry)),
    ...(airGap ? { airGap: { allow: inLowerCase(airGap.whitelist), refuse: inLowerCase(airGap.blacklist) } } : {}),
  };
  return {
    id: CHECKS_PLUGIN,
    title: "Checks",
    type: "monitor",
    enabled: true,
    groups: [],
    format: "json",
    sec: {},
    command: "/bin/sh",
    script: scriptOf(JSON.stringify(order)),
    timeout: Math.max(...checks.map(({ timeout }) => timeout)) + SPARE_SEC,
  };
}
