import type { Actor, PrepareContext } from "../../../kernel/calls/context.ts";
import { defineCommand, defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { pagesById } from "../../../kernel/searches/pages-by-id.ts";
import { nextTurn } from "../../../lib/turns/gather-more.ts";
import { pageNumber, WordId } from "../../../wire/fields/fields.ts";
import { asList, listOf } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { mayAccess, requireAccess } from "../../access/require-access.ts";
import type { AccessRequest } from "../../access/rules/access.ts";
import { webHookCollection, webHookDeliveryCollection } from "../collection.ts";
import { PublicDelivery, type WebHookDelivery } from "../model.ts";
import { restoredData } from "../rules/delivery.ts";

/**
 * All access that seeing a firing needs, by its subject. A notice needs access to each firing that it reports. Firings of system
 * hooks need a caller without restrictions.
 */
function reachOf({ type, category, targets, groups, firings }: WebHookDelivery): AccessRequest[] {
  if (type === "job") return [{ category: category ?? "", targets: targets ?? [] }];
  if (type === "system") return [{ category: "*", group: "*" }];
  return (firings ?? [{ category, groups }]).map((firing) =>
    firing.category === undefined ? { serverGroups: firing.groups ?? [] } : { category: firing.category },
  );
}

const isVisible = (actor: Actor, delivery: WebHookDelivery): boolean =>
  reachOf(delivery).every((access) => mayAccess(actor, access));

function shown({ data, key: _key, firings: _firings, ...delivery }: WebHookDelivery): PublicDelivery {
  return { ...delivery, resendable: data !== undefined };
}

export const getWebHookDeliveries = defineQuery({
  name: "get_web_hook_deliveries",
  summary:
    "List firings of web hooks that failed permanently, newest first, including the ones that succeeded when sent again.",
  access: privilege("edit_web_hooks"),
  input: looseObject(() => ({
    web_hook: WordId.optional(),
    offset: pageNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    limit: pageNumber(50, 1000).optional(),
  })),
  output: listOf(PublicDelivery),
  async handler({ web_hook: hook, offset = 0, limit = 50 }, { actor, tx }) {
    const visible: PublicDelivery[] = [];
    for await (const rows of pagesById((work) => work(tx), webHookDeliveryCollection, { size: AT_ONCE })) {
      for (const row of rows)
        if ((hook === undefined || row.web_hook === hook) && isVisible(actor, row)) visible.push(shown(row));
      await nextTurn();
    }
    visible.sort((one, two) => two.created - one.created || (one.id < two.id ? 1 : -1));
    return asList(visible.slice(offset, offset + limit), visible.length);
  },
});

/**
 * Rows read in one turn of the event loop: each is up to 80 KB. Read by id, because a database reads even the rows that it skips.
 */
const AT_ONCE = 10;

export const resendWebHookDelivery = defineCommand({
  name: "resend_web_hook_delivery",
  summary: "Send a failed firing again, by the present hook; `delivery` contains the result.",
  access: privilege("edit_web_hooks"),
  refuses: ["web_hook"],
  input: looseObject(() => ({ id: WordId })),
  output: object(() => ({ delivery: PublicDelivery })),
  async prepare({ id }, context) {
    const delivery = await context.read((tx) => tx.collection(webHookDeliveryCollection).get(id));
    return send(requireResendable(context.actor, delivery, id), context);
  },
  async handler({ id }, { audit, prepared, tx }) {
    const delivery = await tx.collection(webHookDeliveryCollection).get(id);
    if (!delivery) throw unknown(id);
    // Nothing was sent: the hook has reached its daily limit, or the host removed its client.
    if (delivery.attempts === prepared.attempts) throw refuse(prepared.description);
    const { web_hook: hook, title, code, description } = delivery;
    audit("web_hook_resend", { description: title, keywords: [id, hook], params: { id, code, description } });
    return { delivery: shown(delivery) };
  },
});

const unknown = (id: string): DomainError =>
  new DomainError("web_hook", "unknown", `Web Hook delivery not found: ${id}`);
const refuse = (text: string): DomainError => new DomainError("web_hook", "conflict", text);

interface Resendable extends WebHookDelivery {
  readonly data: Readonly<Record<string, unknown>>;
}

function requireResendable(actor: Actor, delivery: WebHookDelivery | undefined, id: string): Resendable {
  if (!delivery) throw unknown(id);
  for (const access of reachOf(delivery)) requireAccess(actor, access);
  if (delivery.delivered) throw refuse(`Web Hook delivery has arrived already: ${id}`);
  if (!delivery.data) throw refuse(`Web Hook delivery is too large to be sent again: ${id}`);
  return delivery as Resendable;
}

interface Sent {
  /** Number of attempts before this one. */
  readonly attempts: number;
  readonly description: string;
}

/** Sends with the idempotency key of the first attempt, so that a receiver can recognise a repeat. */
async function send({ id, web_hook: hook, data, key, attempts }: Resendable, context: PrepareContext): Promise<Sent> {
  const { read, services, signal } = context;
  const stored = await read((tx) => tx.collection(webHookCollection).get(hook));
  if (!stored) throw refuse(`Web Hook not found: ${hook}`);
  if (!stored.enabled) throw refuse(`Web Hook is disabled: ${hook}`);
  const full = restoredData(data, services.activeJobs.logToken);
  const options = { delivery: id, signal, ...(key === "" ? {} : { idempotencyKey: key }) };
  const { description } = await services.webHooks.fire(hook, full, options);
  return { attempts, description };
}
