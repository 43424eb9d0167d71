import type { Cradle } from "../../../kernel/container.ts";
import type { CommandContext, PrepareContext } from "../../../kernel/context.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { isObject } from "../../../lib/is-object.ts";
import { receiverCollection } from "../collection.ts";
import { RECEIVER_TYPES, type Receiver } from "../model.ts";
import { areSettingsGood, isService, type Settings, splitSettings } from "../rules/providers/settings.ts";

type SealedPayload = Awaited<ReturnType<Cradle["keptSecrets"]["seal"]>>;

/** The settings of a service, their secrets apart. */
export interface Keys {
  readonly members: { readonly settings: Settings; readonly sealed: string | null };
  /** Absent = none of the settings is secret. */
  readonly payload: SealedPayload | undefined;
}

interface Sent {
  readonly type: unknown;
  readonly settings: unknown;
  readonly stored: Receiver | undefined;
}

/**
 * Seals the secret settings. Undefined for other receivers, and when no settings were sent; values that are no texts
 * are refused with the record.
 */
export async function sealKeys({ type: sent, settings, stored }: Sent, context: PrepareContext) {
  const type = RECEIVER_TYPES.find((each) => each === sent);
  if (!type || !isService(type) || !areTexts(settings)) return undefined;
  if (!areSettingsGood(type, settings)) throw new DomainError("receiver", "malformed", "Invalid value for settings");
  const { keptSecrets } = context.services;
  const sealed = stored?.sealed ? await keptSecrets.values(stored.sealed) : {};
  const { shown, secrets } = splitSettings(type, settings, sealed);
  const payload = Object.keys(secrets).length > 0 ? await keptSecrets.seal(secrets) : undefined;
  return { members: { settings: shown, sealed: payload?.id ?? null }, payload } satisfies Keys;
}

const areTexts = (settings: unknown): settings is Settings =>
  isObject(settings) && Object.values(settings).every((value) => typeof value === "string");

/** Stores new values, and drops the ones in whose place they are. */
export async function keepKeys(id: string, keys: Keys | undefined, { services, tx }: CommandContext): Promise<void> {
  if (!keys) return;
  const former = (await tx.collection(receiverCollection).get(id))?.sealed;
  if (former) await services.keptSecrets.drop(tx, former);
  if (keys.payload) await services.keptSecrets.put(tx, keys.payload);
}
