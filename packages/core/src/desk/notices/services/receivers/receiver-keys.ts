import type { CommandContext, PrepareContext } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { receiverCollection } from "../../collection.ts";
import { RECEIVER_TYPES, type Receiver } from "../../model.ts";
import { areSettingsGood, isService, mayMask, type Settings, splitSettings } from "../../rules/providers/settings.ts";

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
 * Takes the secrets out of the settings of a service. Undefined for other receivers, and when no settings were sent;
 * values that are no texts are refused with the record.
 */
async function splitKeys({ type: sent, settings, stored }: Sent, { services }: PrepareContext) {
  const type = RECEIVER_TYPES.find((each) => each === sent);
  if (!type || !isService(type) || !areTexts(settings)) return undefined;
  if (!areSettingsGood(type, settings)) throw new DomainError("receiver", "malformed", "Invalid value for settings");
  const sealed = stored?.sealed ? await services.keptSecrets.values(stored.sealed) : {};
  return splitSettings(type, settings, sealed);
}

/** Seals the secret settings of a receiver that is to be stored. */
export async function sealKeys(sent: Sent, context: PrepareContext) {
  const split = await splitKeys(sent, context);
  if (!split) return undefined;
  const { shown, secrets } = split;
  const payload = Object.keys(secrets).length > 0 ? await context.services.keptSecrets.seal(secrets) : undefined;
  return { members: { settings: shown, sealed: payload?.id ?? null }, payload } satisfies Keys;
}

/**
 * Settings of a receiver that is only tried, with the secrets in their places: nothing of it is stored. As a trial
 * leaves no row in the log either, it sends no stored secret to another address.
 */
export async function openKeys(sent: Sent, context: PrepareContext): Promise<Partial<Keys["members"]>> {
  const { stored, settings } = sent;
  if (stored && isService(stored.type) && areTexts(settings) && !mayMask(stored.type, settings, stored.settings ?? {}))
    throw new DomainError("receiver", "malformed", "Invalid value for settings");
  const split = await splitKeys(sent, context);
  return split ? { settings: { ...split.shown, ...split.secrets }, sealed: null } : {};
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
