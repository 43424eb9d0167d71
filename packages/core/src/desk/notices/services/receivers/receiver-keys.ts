import type { CommandContext, PrepareContext } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import { recordsById } from "../../../../kernel/searches/pages-by-id.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { problemCollection, receiverCollection } from "../../collection.ts";
import { RECEIVER_TYPES, type Receiver } from "../../model.ts";
import {
  areSettingsGood,
  isService,
  mayMask,
  type Settings,
  settingTexts,
  splitSettings,
} from "../../rules/providers/settings.ts";

type SealedPayload = Awaited<ReturnType<Cradle["keptSecrets"]["seal"]>>;

/** Page size; small, since each problem may have thousands of members. */
const PAGE = 20;

/** The settings of a service, with the secret ones separated. */
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
 * Separates secrets from the settings of a service. Undefined for other receivers, and when no settings were sent. Values that
 * are not texts are ignored here; validation of the record refuses them.
 */
async function splitKeys({ type: sent, settings: given, stored }: Sent, { services }: PrepareContext) {
  const type = RECEIVER_TYPES.find((each) => each === sent);
  const settings = settingTexts(given);
  if (!type || !isService(type) || !settings) return undefined;
  if (!areSettingsGood(type, settings)) throw new DomainError("receiver", "malformed", "Invalid value for settings");
  const sealed = stored?.sealed ? await services.keptSecrets.values(stored.sealed) : {};
  return { ...splitSettings(type, settings, sealed), sealed };
}

const isSame = (one: Settings, other: Settings): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);

/** Seals the secret settings of a receiver that is to be stored. */
export async function sealKeys(sent: Sent, context: PrepareContext) {
  const split = await splitKeys(sent, context);
  if (!split) return undefined;
  const { shown, secrets, sealed } = split;
  // Unchanged values keep their sealed record, since they lead to the same place.
  if (sent.stored?.sealed && isSame(secrets, sealed))
    return { members: { settings: shown, sealed: sent.stored.sealed }, payload: undefined } satisfies Keys;
  const payload = Object.keys(secrets).length > 0 ? await context.services.keptSecrets.seal(secrets) : undefined;
  return { members: { settings: shown, sealed: payload?.id ?? null }, payload } satisfies Keys;
}

/**
 * Settings of a receiver that is only tried out, with the secrets filled in; nothing of it is stored. A trial leaves no row in
 * the activity log, so it must not send a stored secret to a different address.
 */
export async function openKeys(sent: Sent, context: PrepareContext): Promise<Partial<Keys["members"]>> {
  const { stored } = sent;
  const settings = settingTexts(sent.settings);
  if (stored && isService(stored.type) && settings && !mayMask(stored.type, settings, stored.settings ?? {}))
    throw new DomainError("receiver", "malformed", "Invalid value for settings");
  const split = await splitKeys(sent, context);
  return split ? { settings: { ...split.shown, ...split.secrets }, sealed: null } : {};
}

/** Maximum former keys to keep for each receiver. */
const MAX_FORMER = 10;

const replacedOf = ({ former, sealed }: Receiver): readonly string[] => [
  ...(former ?? []),
  ...(sealed ? [sealed] : []),
];

/** Members of a receiver whose keys are replaced. The former keys stay, for ends of firings that were reported with them. */
export const withKeys = (stored: Receiver, keys: Keys | undefined) =>
  keys && keys.members.sealed !== stored.sealed
    ? { ...keys.members, former: replacedOf(stored).slice(-MAX_FORMER) }
    : { ...keys?.members };

/** Stores new values, and drops the oldest former ones beyond `MAX_FORMER`. */
export async function keepKeys(id: string, keys: Keys | undefined, { services, tx }: CommandContext): Promise<void> {
  if (!keys) return;
  const stored = await tx.collection(receiverCollection).get(id);
  if (stored && keys.members.sealed !== stored.sealed)
    await dropKeys(services, tx, replacedOf(stored).slice(0, -MAX_FORMER));
  if (keys.payload) await services.keptSecrets.put(tx, keys.payload);
}

export const dropAllKeys = ({ services, tx }: CommandContext, receiver: Receiver): Promise<void> =>
  dropKeys(services, tx, replacedOf(receiver));

async function dropKeys({ keptSecrets }: Pick<Cradle, "keptSecrets">, tx: WriteTx, ids: readonly string[]) {
  for (const id of ids) await keptSecrets.drop(tx, id);
}

type Deps = Pick<Cradle, "definitions" | "keptSecrets" | "snapshot" | "transact">;

/** Drops the former keys of receivers that take part in no open problem. */
export async function forgetKeys(deps: Deps): Promise<void> {
  const replaced = deps.definitions.all(receiverCollection).filter(({ former }) => former?.length);
  if (replaced.length === 0) return;
  const told = new Set<string>();
  const open = { where: hasWord("state", "open"), size: PAGE };
  for await (const { sides } of recordsById(deps.snapshot, problemCollection, open))
    for (const id of Object.keys(sides)) told.add(id);
  for (const { id } of replaced.filter((each) => !told.has(each.id))) await forgetFormer(deps, id);
}

const forgetFormer = (deps: Deps, id: string): Promise<void> =>
  deps.transact(async ({ tx }) => {
    const receivers = tx.collection(receiverCollection);
    const stored = await receivers.get(id);
    if (!stored) return;
    const gone = (stored.former ?? []).filter((former) => former !== stored.sealed);
    await dropKeys(deps, tx, gone);
    await receivers.update(id, ({ former: _gone, ...rest }) => rest as Receiver);
  });
