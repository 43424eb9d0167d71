import type { Cradle } from "../../../kernel/container.ts";
import { deleteFound } from "../../../kernel/searches/delete-found.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { everything } from "../../../search/ast.ts";
import type { Cause } from "../../../wire/cause.ts";
import { webHookDeliveryCollection } from "../collection.ts";
import type { WebHook, WebHookDelivery } from "../model.ts";
import { attempted, deliveryCause, scopeOf, storableData } from "../rules/delivery.ts";
import type { WebHookOutcome } from "./sending/deliver.ts";
import type { FireOptions, HookData } from "./sending/prepare.ts";

type Deps = Pick<Cradle, "clock" | "config" | "ids" | "log" | "transact">;

/** Stores firings that failed permanently, so that they can be listed and resent. */
export interface DeliveryHistory {
  /** Records the end of a firing; stores only failures and resent requests. Never rejects. */
  note(hook: WebHook, firing: { data: HookData; options: FireOptions }, outcome: WebHookOutcome): Promise<void>;
}

export function createDeliveryHistory({ clock, config, ids, log, transact }: Deps): DeliveryHistory {
  return {
    async note(hook, { data, options: { cause, delivery, idempotencyKey: key = "", signal } }, outcome) {
      // An aborted firing is started again, with the same key.
      if (delivery === undefined && (outcome.code === 0 || signal?.aborted)) return;
      const id = delivery ?? (key === "" ? ids.short("wd") : `wd${sha256Hex(key).slice(0, 14)}`);
      const now = Math.floor(clock.now());
      const first = (): WebHookDelivery => firstOf(hook, { id, key, now, data, cause });
      await transact(({ tx }) => put(tx, first, { ...outcome, date: now }, config.web_hooks.max_deliveries)).catch(
        // The request was sent, so the action must not be repeated because its history could not be stored.
        (error: unknown) => log.error({ hook: hook.id, error }, "A failed web hook could not be noted"),
      );
    },
  };
}

interface First {
  readonly id: string;
  readonly key: string;
  readonly now: number;
  readonly data: HookData;
  readonly cause: Cause | undefined;
}

function firstOf({ id: hook, title }: WebHook, { id, key, now, data, cause: given }: First): WebHookDelivery {
  const kept = storableData(data);
  const scope = scopeOf(data);
  const cause = deliveryCause(scope, given);
  return {
    id,
    web_hook: hook,
    title,
    ...scope,
    key,
    created: now,
    date: now,
    attempts: 0,
    code: "webhook",
    description: "",
    details: "",
    ...(cause ? { cause } : {}),
    ...(kept === undefined ? {} : { data: kept }),
  };
}

type Attempt = Parameters<typeof attempted>[1];

async function put(tx: WriteTx, first: () => WebHookDelivery, attempt: Attempt, max: number): Promise<void> {
  const deliveries = tx.collection(webHookDeliveryCollection);
  const fresh = first();
  // Two attempts of the same firing must not both count as its first.
  await tx.lock(`web_hook_delivery:${fresh.id}`);
  if (await deliveries.get(fresh.id)) {
    await deliveries.update(fresh.id, (stored) => attempted(stored, attempt));
    return;
  }
  await deliveries.insert(attempted(fresh, attempt));
  const { total } = await deliveries.find(everything, { limit: 0 });
  if (total <= max) return;
  const oldest = { sortBy: "created", limit: Math.min(total - max, PRUNED), uncounted: true };
  await deleteFound(deliveries, everything, oldest);
}

/** Bound of deliveries deleted at once, because each is read as a whole; a lowered bound is reached after several failures. */
const PRUNED = 10;
