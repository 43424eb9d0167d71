import type { Cradle } from "../../../kernel/container.ts";
import type { StartReport } from "../../../kernel/running/lifecycle.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { userRecords } from "../../users/records.ts";
import { ADMINISTRATOR, checkGivenPassword, newAdministrator } from "../../users/rules/administrator.ts";
import { isAwaited } from "../../users/rules/password-hash.ts";
import { apiKeyCollection } from "../collection.ts";
import { newApiKey } from "../operations.ts";
import { publicApiKey } from "../rules.ts";

/** Creates the first administrator of a new installation, a key and an account, and reports them to `start` once. */
export interface Bootstrap {
  /** Throws `Error` when the host gives an empty password, `DomainError` when it gives a key that is too short. */
  ensureAdministrator(): Promise<void>;
  report(): StartReport;
}

type Deps = Pick<
  Cradle,
  | "accountChanges"
  | "transact"
  | "ids"
  | "clock"
  | "config"
  | "definitions"
  | "firstPassword"
  | "administratorKey"
  | "administratorPassword"
>;

interface Secret {
  readonly plain: string;
  readonly hash: string;
}

const COUNTER = "bootstrap:administrator";
const PASSWORD_LENGTH = 24;

export function createBootstrap(deps: Deps): Bootstrap {
  const { transact, definitions, administratorPassword, firstPassword } = deps;
  let created: StartReport = {};
  return {
    async ensureAdministrator() {
      checkGivenPassword(administratorPassword);
      const isUsed = definitions.all(apiKeyCollection).length + definitions.all(userRecords).length > 0;
      // Hashed beforehand, because a transaction must not wait for the hash.
      const password = isUsed ? undefined : await preparePassword(deps);
      created = await transact((unit) => makeAdministrator(unit, deps, password));
      const administrator = definitions.get(userRecords, ADMINISTRATOR);
      firstPassword.plan(administratorPassword, administrator !== undefined && isAwaited(administrator.password));
    },
    report() {
      const report = created;
      created = {};
      return report;
    },
  };
}

/** A random password of 142 bits cannot be guessed, so a fast hash suffices until the first login replaces it with a slow one. */
async function preparePassword({ administratorPassword: given, firstPassword, ids }: Deps): Promise<Secret> {
  if (given !== undefined) return { plain: given, hash: await firstPassword.placeholder() };
  const plain = ids.alphanumeric(PASSWORD_LENGTH);
  return { plain, hash: await firstPassword.hashRandom(plain) };
}

async function makeAdministrator(unit: Unit, deps: Deps, password: Secret | undefined): Promise<StartReport> {
  const { tx } = unit;
  // The counter decides between nodes that start at the same time, and prevents a new key when the last one was deleted on
  // purpose.
  if ((await tx.counter(COUNTER)) > 1 || (await tx.collection(apiKeyCollection).list()).length > 0) return {};
  const key = await insertKey(unit, deps);
  const account = password && (await insertAccount(unit, deps, password));
  return { administratorKey: key, ...(account ? { administratorPassword: account } : {}) };
}

async function insertKey({ tx, audit }: Unit, { ids, clock, config, administratorKey }: Deps): Promise<string> {
  const plain = administratorKey ?? ids.alphanumeric(config.api.key_length);
  const record = newApiKey(
    { title: "Administrator", description: "Made at the first start.", privileges: { admin: true } },
    { id: ids.short("k"), plain, username: "system", now: Math.floor(clock.now()) },
  );
  await tx.collection(apiKeyCollection).insert(record);
  audit("apikey_create", { api_key: publicApiKey(record) });
  return plain;
}

/** Returns undefined when the account already exists: it keeps its password. */
async function insertAccount(unit: Unit, { accountChanges, clock, config }: Deps, { plain, hash }: Secret) {
  const { default_user_prefs: preferences } = config;
  const account = newAdministrator({ password: hash, now: Math.floor(clock.now()), preferences });
  const isNew = await accountChanges.addFirst(unit, account);
  return isNew ? plain : undefined;
}
