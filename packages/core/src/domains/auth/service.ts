import { type Actor, anonymous, type Credentials } from "../../kernel/context.ts";
import type { Definitions } from "../../kernel/definitions.ts";
import { InputError, RateError, SessionError } from "../../kernel/errors.ts";
import type { Gatekeeper } from "../../kernel/gatekeeper.ts";
import type { Access } from "../../kernel/operation.ts";
import type { Registry } from "../../kernel/registry.ts";
import { equalSecrets, sha256Hex } from "../../lib/hash.ts";
import type { Clock } from "../../ports/clock.ts";
import { apiKeyCollection } from "../api-keys/collection.ts";
import type { ApiKey } from "../api-keys/model.ts";
import { hashApiKey } from "../api-keys/rules.ts";
import { requireAccess } from "./require-access.ts";
import { effectivePrivileges } from "./rules/access.ts";
import { countRequest, isOverRate, type RateWindow } from "./rules/rate.ts";

interface Deps {
  readonly definitions: Definitions;
  readonly registry: Registry;
  readonly clock: Clock;
}

/** Hash of a plain key → the record that it was found to open. */
const HINTS = 10_000;
const WINDOWS = 100_000;

export function createGatekeeper({ definitions, registry, clock }: Deps): Gatekeeper {
  const findKey = createKeyFinder(definitions);
  const countRate = createRateCount(clock);
  // Records are frozen and replaced by every change, so an actor lives as long as its record.
  const actors = new WeakMap<ApiKey, Actor>();

  return {
    authenticate({ apiKey, sessionId }: Credentials): Actor {
      if (apiKey === undefined) return withoutKey(sessionId);
      const record = findKey(apiKey);
      if (!record) throw new SessionError("Invalid API Key");
      requireUsable(record, clock.now());
      countRate(record);
      const actor = actors.get(record) ?? actorOf(record);
      actors.set(record, actor);
      return actor;
    },
    authorize(actor: Actor, access: Access): void {
      if (access.kind === "anyone" || access.kind === "token") return;
      requireAccess(actor, access.kind === "privilege" ? { privilege: access.id } : {}, registry.privileges);
    },
  };
}

/** Sessions do not exist yet, so every session id is an unknown one; a key beside it still counts. */
function withoutKey(sessionId: string | undefined): Actor {
  if (sessionId !== undefined) throw new SessionError("Session has expired or is invalid.");
  return anonymous;
}

function requireUsable(record: ApiKey, now: number): void {
  if (!record.active) throw new InputError("API Key is disabled");
  if (record.expires && now >= record.expires) throw new InputError("API Key is expired");
}

/** Salted per record, so an unknown key costs one hash for every record; a known one costs one. */
function createKeyFinder(definitions: Definitions): (plain: string) => ApiKey | undefined {
  const hints = new Map<string, ApiKey>();
  const search = (plain: string): ApiKey | undefined => {
    let found: ApiKey | undefined;
    // To the end, so that the time does not tell where a key stands.
    for (const record of definitions.all(apiKeyCollection)) if (matches(record, plain)) found = record;
    return found;
  };
  return (plain) => {
    const lookup = sha256Hex(plain);
    const hint = hints.get(lookup);
    // Records are replaced by every change, so the very record that matched this key before still does.
    if (hint && definitions.get(apiKeyCollection, hint.id) === hint) return hint;
    const found = search(plain);
    if (hints.size >= HINTS) hints.clear();
    if (found) hints.set(lookup, found);
    return found;
  };
}

/** Counts a request; throws when its key is over its rate. The windows of deleted keys go with the first full map. */
function createRateCount(clock: Clock): (record: ApiKey) => void {
  const windows = new Map<string, RateWindow>();
  return (record) => {
    const window = countRequest(windows.get(record.id), clock.now());
    if (windows.size >= WINDOWS) windows.clear();
    windows.set(record.id, window);
    if (isOverRate(window, record.max_per_sec))
      throw new RateError(`API Key has exceeded rate limit (${record.max_per_sec}/sec)`);
  };
}

function actorOf(record: ApiKey): Actor {
  const privileges = effectivePrivileges(record.privileges);
  const limited = !privileges["admin"];
  return {
    kind: "key",
    id: record.id,
    title: record.title,
    privileges,
    categories: limited ? (record.categories ?? []) : [],
    groups: limited ? (record.groups ?? []) : [],
  };
}

function matches(record: ApiKey, plain: string): boolean {
  return equalSecrets(hashApiKey(plain, record.id), record.key);
}
