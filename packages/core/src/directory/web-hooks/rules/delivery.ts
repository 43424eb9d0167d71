import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import { onlyText, textsOf } from "../../../lib/text/text-of.ts";
import type { Cause } from "../../../wire/cause.ts";
import type { DeliveryScope, FiringScope, WebHookDelivery } from "../model.ts";

type Members = Readonly<Record<string, unknown>>;

/** Characters of the data that a delivery stores; with more data it can be listed but not resent. */
const MAX_DATA = 65_536;
const MAX_DETAILS = 16_384;
const TOKEN = /([?&]t=)[^&#]*/;
/** The end of a link that acknowledges an alert without a login. */
const ACK_TOKEN = /(\/app\/ack\/)[\w-]+/g;

/**
 * Subject of a firing, taken from the data of its templates (docs/contract/actions.md#template-data,
 * docs/contract/alerts.md#template-data).
 */
export function scopeOf(data: Members): DeliveryScope {
  const { job, server, alert, alerts } = data;
  if (isObject(job)) {
    const { id, category, targets } = job;
    return {
      type: "job",
      about: onlyText(id),
      category: onlyText(category),
      targets: Array.isArray(targets) ? textsOf(targets) : [],
    };
  }
  if (isObject(alert)) {
    const entries: readonly unknown[] = Array.isArray(alerts) ? alerts : [];
    const told = entries.map((entry) => firingOf(membersOf(membersOf(entry)["alert"])));
    const firings = told.length > 1 ? { firings: told } : {};
    return { type: "alert", about: onlyText(alert["id"]), ...firingOf(alert, server), ...firings };
  }
  return { type: "system", about: onlyText(data["action"]) };
}

function firingOf({ subject, category, groups }: Members, server?: unknown): FiringScope {
  if (isObject(subject)) return { category: onlyText(category) };
  return { groups: textsOf(isObject(server) ? server["groups"] : groups) };
}

/** Cause of a delivery: its job or its alert; for system hooks the given cause. */
export const deliveryCause = ({ type, about: id }: DeliveryScope, given: Cause | undefined): Cause | undefined =>
  type === "system" ? given : { kind: type, id };

/**
 * The data that may be stored: without the environment of the process, the token of the link to the log, and the link that
 * acknowledges, because people who may read deliveries need not be allowed to acknowledge. Undefined for more data than a record
 * should hold, and for data without a JSON text.
 */
export function storableData({ env: _env, links, notice, ...data }: Members): Members | undefined {
  const kept = {
    ...data,
    links: isObject(links) ? { ...links, job_log: withToken(links["job_log"], "") } : links,
    notice: isObject(notice) ? withoutAckUrl(notice) : notice,
  };
  try {
    const text = JSON.stringify(kept);
    return text.length > MAX_DATA ? undefined : (JSON.parse(text) as Members);
  } catch {
    // BigInts and circular values have no JSON text.
    return undefined;
  }
}

const withoutAckUrl = ({ ack_url: _hidden, ...notice }: Members): Members => notice;

/** Restores the data of the templates. `tokenOf` makes the token that opens the log of a job. */
export function restoredData(data: Members, tokenOf: (job: string) => string): Members {
  const { job, links } = data;
  if (!isObject(job) || !isObject(links)) return data;
  const { id } = job;
  return { ...data, links: { ...links, job_log: withToken(links["job_log"], tokenOf(onlyText(id))) } };
}

const withToken = (link: unknown, token: string): unknown =>
  typeof link === "string" ? link.replace(TOKEN, (_all, name: string) => `${name}${token}`) : link;

export interface Attempt {
  readonly code: number | string;
  readonly description: string;
  readonly details?: string;
  /** Unix seconds. */
  readonly date: number;
}

/** The delivery after another attempt; once delivered, it no longer needs its data. */
export function attempted(
  delivery: WebHookDelivery,
  { code, description, details = "", date }: Attempt,
): WebHookDelivery {
  const { data, ...rest } = delivery;
  const isOver = code === 0;
  return {
    ...rest,
    ...(isOver || data === undefined ? {} : { data }),
    code,
    description,
    details: details.replace(ACK_TOKEN, "$1(hidden)").slice(0, MAX_DETAILS),
    date,
    attempts: delivery.attempts + 1,
    ...(isOver ? { delivered: true } : {}),
  };
}
