import { isDeepStrictEqual } from "node:util";
import { sessionCollection } from "../../../src/directory/auth/collection.ts";
import type { Session } from "../../../src/directory/auth/model.ts";
import { csrfTokenOf, newSession } from "../../../src/directory/auth/rules/session.ts";
import { groupCollection } from "../../../src/directory/groups/collection.ts";
import { userCollection } from "../../../src/directory/users/collection.ts";
import type { User } from "../../../src/directory/users/model.ts";
import { newUser, userKey } from "../../../src/directory/users/rules/account.ts";
import { builtins } from "../../../src/engine/builtins.ts";
import type { ConfigInput } from "../../../src/engine/config.ts";
import { invocationCollection } from "../../../src/fleet/alerts/collection.ts";
import { hostCollection } from "../../../src/fleet/servers/collection.ts";
import { type Credentials, localClient } from "../../../src/kernel/calls/context.ts";
import type { OperationCall } from "../../../src/kernel/calls/pipeline.ts";
import { createRegistry } from "../../../src/kernel/calls/registry.ts";
import { SignalboxError } from "../../../src/kernel/errors/errors.ts";
import { FAILURE_CODES, refusalCodes } from "../../../src/kernel/errors/refusals.ts";
import { definePlugin } from "../../../src/kernel/plugins/plugin.ts";
import { memoryStorage } from "../../../src/memory/memory-storage.ts";
import type { AnyCollection } from "../../../src/ports/storage/collection.ts";
import type { ReadTx } from "../../../src/ports/storage/storage.ts";
import { everything } from "../../../src/search/ast.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { scriptedAgent } from "../../../src/testing/scripted-agent.ts";
import { cheapHash, PASSWORD } from "../../directory/accounts.ts";
import { cradleProbe, recordingLogger, START, startEngine } from "../../engine.ts";
import { scriptedClient } from "../../scripted/scripted-client.ts";
import { scriptedProcesses } from "../../scripted/scripted-processes.ts";
import { jobRecords } from "../../work/job-records.ts";
import { watchWrites } from "./written.ts";

export type Members = Record<string, unknown>;

/** Text in every record of the category "alpha" and the group "ga", which reveals a leak. */
export const MARK = "zzmarker";

interface PersonMembers extends Partial<Pick<User, "active" | "roles" | "categories" | "groups">> {
  readonly privileges?: readonly string[];
}

export interface KeyMembers {
  readonly privileges?: readonly string[];
  readonly categories?: readonly string[];
  readonly groups?: readonly string[];
  readonly active?: boolean;
  readonly expires?: number;
}

export type Caller = Pick<OperationCall, "credentials" | "hostUser">;

/** A user with a session. */
export interface Person {
  readonly username: string;
  readonly password: string;
  readonly sessionId: string;
  /** The session as a cookie, with its CSRF token. */
  readonly credentials: Credentials;
}

/** An engine with one record of each kind, in the category "alpha" and the group "ga", and callers of all kinds. */
export async function createWorld(further: ConfigInput = {}) {
  const clock = fakeClock(START);
  const watched = watchWrites(memoryStorage({ clock }));
  const { storage } = watched;
  const log = recordingLogger();
  const agent = scriptedAgent();
  const probe = cradleProbe();
  const engine = await startEngine({
    clock,
    storage,
    log,
    agents: agent,
    webHooks: scriptedClient({}),
    processes: scriptedProcesses(() => ({ stdout: '{"xy":1,"items":[true]}' })).runner,
    plugins: [probe.plugin, quickPasswords],
    config: { job_universal_actions: { default: [], workflow: [] }, max_jobs_per_min: 0, ...further },
  });
  const { api, execute } = engine;
  const cradle = probe.cradle();
  const jobs = jobRecords(storage);
  let count = 0;
  const fresh = (prefix: string): string => `${prefix}${++count}`;
  await plant();

  async function plant(): Promise<void> {
    await api.createCategory({ id: "alpha", title: `Alpha ${MARK}` });
    await api.createCategory({ id: "beta", title: "Beta" });
    await cradle.transact(({ tx }) =>
      tx.collection(groupCollection).insert({
        ...{ id: "ga", title: `Group A ${MARK}`, hostname_match: "", alert_actions: [], sort_order: 5 },
        ...{ username: "admin", created: 1, modified: 1, revision: 1 },
      }),
    );
    await agent.connect({ hostname: "sa.example.internal", id: "sa", initial: { title: MARK, groups: ["ga"] } });
    await event({ id: "ev" });
    await api.createTicket({ id: "tk", subject: `Ticket ${MARK}`, category: "alpha" });
    await jobs.final("jf", { event: "ev", category: "alpha", targets: ["ga"], label: MARK, code: 0 });
    await storage.write((tx) =>
      tx.collection(invocationCollection).insert({
        ...{ id: "inv", alert: "hot", server: "sa", date: 1, active: false, modified: 1, tickets: [], exp: "1" },
        ...{ message: MARK, count: 1, notified: true, groups: ["ga"], jobs: [] },
      }),
    );
    await storage.write((tx) =>
      tx.collection(hostCollection).insert({
        ...{ id: "sa", version: "1.0", date: START, server: "sa", hostname: "sa.example.internal", ip: "127.0.0.1" },
        ...{ groups: ["ga"], data: { monitors: {} } },
      }),
    );
  }

  async function event(members: Members = {}): Promise<string> {
    const { event: created } = await api.createEvent({
      ...{ title: `Event ${MARK} ${fresh("n")}`, enabled: true, category: "alpha", plugin: "testplug" },
      ...{ targets: ["ga"], algo: "random" },
      ...{ triggers: [{ type: "manual", enabled: true }] },
      ...members,
    } as never);
    return created.id;
  }

  /** A key with these members, as its holder sends it. */
  async function key(members: KeyMembers = {}): Promise<Credentials & { readonly apiKey: string }> {
    const { privileges = [], active = true, categories, groups, expires } = members;
    const { plain_key: apiKey } = await api.createApiKey({
      title: "Matrix",
      active,
      privileges: Object.fromEntries(privileges.map((id) => [id, true])),
      ...(categories ? { categories: [...categories] } : {}),
      ...(groups ? { groups: [...groups] } : {}),
      ...(expires === undefined ? {} : { expires }),
    });
    return { apiKey };
  }

  /** An account with a session. */
  async function person(members: PersonMembers = {}, { expires }: Partial<Session> = {}): Promise<Person> {
    const { privileges = [], ...others } = members;
    const username = fresh("person");
    const input = { username, full_name: username, email: `${username}@example.com`, privileges: {} };
    const defaults = { password: cheapHash(PASSWORD), now: START, privileges: {}, preferences: {}, roles: [] };
    const granted = Object.fromEntries(privileges.map((id) => [id, true]));
    const sessionId = cradle.ids.hex();
    const facts = { user: userKey(username), username, ip: "", userAgent: "", now: START, period: 86_400 };
    const session = newSession({ id: sessionId, ...facts });
    await cradle.transact(async ({ tx }) => {
      await tx.collection(userCollection).insert({ ...newUser(input, defaults), ...others, privileges: granted });
      await tx.collection(sessionCollection).insert(expires === undefined ? session : { ...session, expires });
    });
    const credentials = { sessionId, sessionFromCookie: true, csrfToken: csrfTokenOf(sessionId) };
    return { username, password: PASSWORD, sessionId, credentials };
  }

  async function passTime<T>(answer: Promise<T>): Promise<T> {
    let isOpen = true;
    const end = (): void => {
      isOpen = false;
    };
    answer.then(end, end);
    while (isOpen) await clock.advance(0.02);
    return answer;
  }

  /** A person whose privileges all come from a role. */
  async function inRole(privileges: readonly string[], enabled: boolean): Promise<Person> {
    const granted = Object.fromEntries(privileges.map((id) => [id, true]));
    const { role } = await api.createRole({ title: "Matrix", enabled, privileges: granted });
    return person({ roles: [role.id] });
  }

  /** Records of each collection, cached by its version, since most calls change few collections. */
  function ofCollections<T>(
    read: (tx: ReadTx, each: AnyCollection) => Promise<T>,
  ): () => Promise<(readonly [string, T])[]> {
    const known = new Map<string, { readonly version: number; readonly found: T }>();
    return () =>
      storage.read(async (tx) => {
        const all: (readonly [string, T])[] = [];
        for (const each of engine.collections) {
          const version = watched.version(each.name);
          if (known.get(each.name)?.version !== version) known.set(each.name, { version, found: await read(tx, each) });
          all.push([each.name, known.get(each.name)?.found as T]);
        }
        return all;
      });
  }
  const asText = { fromText: (text: string) => text as never };
  const allRows = ofCollections(async (tx, each) => (await tx.collection(each).find(everything, asText)).rows);
  const allCounts = ofCollections(async (tx, each) => (await tx.collection(each).find(everything, { limit: 0 })).total);

  /** Ends what earlier calls began beside their answers. */
  async function settle(): Promise<void> {
    while (cradle.internalJobs.list().length > 0) await clock.advance(0.02);
    // The clock causes counters to be written, not the caller.
    await cradle.jobs.stats.flush();
  }

  /** All stored records, as texts by collection; the same list for a collection that nothing was written to. */
  async function dump(): Promise<Dump> {
    await settle();
    const parts = new Map(await allRows());
    parts.set("work", [JSON.stringify(await storage.work.stats())]);
    parts.set("blobs", await engine.blobs.list("", { limit: 1000 }));
    return parts;
  }

  /** Number of queued items, and of the records in each collection. */
  async function rowCounts(): Promise<string> {
    await settle();
    const { open, failed } = await storage.work.stats();
    return [open, failed, ...(await allCounts()).map(([, count]) => count)].join(" ");
  }

  return {
    engine,
    api,
    agent,
    clock,
    storage,
    jobs,
    fresh,
    event,
    key,
    dump,
    rowCounts,
    person,
    inRole,
    removePerson: ({ username }: Person) =>
      cradle.transact(({ tx }) => tx.collection(userCollection).delete(userKey(username))),
    /** Represents a person in the input of calls by others. */
    stranger: { username: "stranger", password: "unknown", sessionId: "", credentials: {} } as Person,
    /** Incremented when a writing transaction begins and when it ends. */
    writes: watched.writes,
    /** Logged errors. */
    errors: () => log.lines.filter(({ level }) => level === "error"),
    /** `waits`: advances the clock until there is an answer. */
    call(operation: string, input: unknown, caller: Caller, waits = false): Promise<unknown> {
      const answer = declaredOnly(operation, execute({ operation, input, client: localClient, ...caller }));
      return waits ? passTime(answer) : answer;
    },
    stop: () => engine.stop(),
  };
}

type Dump = ReadonlyMap<string, readonly string[]>;

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Real hashes at the lowest cost: here they are computed a thousand times and protect nothing. */
const quickPasswords = definePlugin({
  id: "matrix.passwords",
  services: {
    passwords: () => ({
      hash: async (password) => cheapHash(password),
      verify: async (password, stored) => ({ ok: cheapHash(password) === stored, outdated: false }),
    }),
  },
});

const { operations } = createRegistry([...builtins]);

/** References list the codes of refusals, so an undeclared code is a mistake in the declaration. */
async function declaredOnly(name: string, answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    const operation = operations.get(name);
    if (!operation || !(error instanceof SignalboxError)) throw error;
    if ([...refusalCodes(operation), ...FAILURE_CODES].includes(error.code)) throw error;
    throw new Error(`${name} refuses with "${error.code}", which its declaration does not name`, { cause: error });
  }
}

/** Names of collections that differ between two dumps. */
export const differing = (before: Dump, after: Dump): string[] =>
  [...after.keys()].filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)));
