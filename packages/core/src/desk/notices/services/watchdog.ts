import { targetsOf } from "../../../directory/web-hooks/rules/targets.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { messageOf } from "../../../lib/message-of.ts";
import { hasWord } from "../../../search/ast.ts";
import { healthCollection, noticeCollection } from "../collection.ts";
import { triedAgainAt } from "../rules/delivery/health.ts";

/** Calls an external service that raises an alarm when the calls stop. The leader calls it every minute. */
export interface Watchdog {
  /** `decidedAt` is the last time at which everything due was decided, in Unix seconds. */
  call(at: { readonly now: number; readonly decidedAt: number }, signal: AbortSignal): Promise<void>;
}

type Deps = Pick<Cradle, "clock" | "config" | "log" | "snapshot" | "webHookClient">;

const BEHIND_SEC = 300;
/** Seconds without a call after which the leader counts as new, with no delays so far. */
const GAP_SEC = 150;
const TIMEOUT_MS = 10_000;
/** Timeout of the whole call, including an answer that arrives slowly. */
const PATIENCE_MS = 30_000;

export function createWatchdog(deps: Deps): Watchdog {
  let trouble: string | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let since = Number.NEGATIVE_INFINITY;
  /** Logs one line when the state changes; logging every call would add nothing. */
  const note = (why: string | undefined): void => {
    if (why === trouble) return;
    if (why === undefined) deps.log.info({}, "The watchdog is called again");
    else deps.log.warn({ reason: why }, "The watchdog was not called");
    trouble = why;
  };
  return {
    async call({ now, decidedAt }, signal) {
      const url = deps.config.notices.watchdog_url;
      if (url === "") return;
      if (now - last > GAP_SEC) since = now;
      last = now;
      const why = (await whyBehind(deps, now, Math.max(since, decidedAt))) ?? (await ask(deps, url, signal));
      if (!signal.aborted) note(why);
    },
  };
}

async function whyBehind(deps: Deps, now: number, decidedAt: number): Promise<string | undefined> {
  if (decidedAt < now - BEHIND_SEC) return "decisions about notices are behind";
  const due = await oldestDelivery(deps);
  return due < now - BEHIND_SEC ? "deliveries of notices are behind" : undefined;
}

/** Maximum notices to look at; the oldest ones count. */
const MOST = 1000;

/**
 * Unix seconds of the earliest due attempt. Only the first waiting notice of each receiver counts, since those behind it cannot
 * be attempted yet.
 */
async function oldestDelivery({ snapshot }: Deps): Promise<number> {
  return snapshot(async (tx) => {
    const pending = hasWord("outcome", "pending");
    const { rows } = await tx.collection(noticeCollection).find(pending, { sortBy: "date", limit: MOST });
    const lines = Map.groupBy(rows, ({ receiver }) => receiver);
    const healths = await tx.collection(healthCollection).getMany([...lines.keys()]);
    const heads = [...lines.values()].map((line) => line.toSorted((a, b) => a.date - b.date || a.seq - b.seq)[0]);
    return Math.min(...heads.map((head, at) => Math.max(head?.next ?? 0, triedAgainAt(healths[at]) ?? 0)));
  });
}

/** Calls the address and answers the fault, undefined = none. The address may contain a key, so it is never logged. */
async function ask({ clock, config, webHookClient }: Deps, url: string, signal: AbortSignal) {
  if (!webHookClient) return "the host gave no web hook client";
  const patience = new AbortController();
  using _timer = clock.after(PATIENCE_MS, () => patience.abort(new Error("It did not answer in time")));
  const rules = { timeoutMs: TIMEOUT_MS, followRedirects: false, skipCertificateCheck: false };
  const request = { method: "GET", url, headers: {}, ...rules, targets: targetsOf(config) };
  try {
    const { status } = await webHookClient.send(request, AbortSignal.any([signal, patience.signal]));
    return status >= 200 && status < 300 ? undefined : `it answered HTTP ${status}`;
  } catch (error) {
    return messageOf(error).replaceAll(url, "its address");
  }
}
