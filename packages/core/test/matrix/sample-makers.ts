import { webHookDeliveryCollection } from "../../src/directory/web-hooks/collection.ts";
import { invocationCollection } from "../../src/fleet/alerts/collection.ts";
import { serverCollection } from "../../src/fleet/servers/collection.ts";
import type { Expected } from "./callers.ts";
import { MARK, type Members, type Person, type World } from "./world/world.ts";

/** A well-formed call of an operation. */
export interface Sample {
  /** Input of a call. It is created anew for every call that is admitted, with the records that the call uses up. */
  readonly input: (world: World, person: Person) => Members | Promise<Members>;
  /** Privileges that the operation accepts besides the privilege of its row. */
  readonly also?: readonly string[];
  /** Token to use instead of a credential, for operations that accept one. */
  readonly token?: (world: World) => Members | Promise<Members>;
  /** Code of the answer to admitted callers, if it is not success. */
  readonly code?: string;
  /** The refusal names the id in the input instead of the category "alpha" or the group "ga". */
  readonly namesInput?: boolean;
  /** Callers with a different result, for operations that check credentials themselves. */
  readonly callers?: Readonly<Record<string, (usual: Expected) => Expected>>;
  /** Result for admitted keys and host users, if the operation needs a person's account; default: admitted. */
  readonly admitted?: Expected;
  /** The only callers to try; for public operations that hash a password in every call. */
  readonly only?: readonly string[];
  /** The answer waits for the clock. */
  readonly waits?: boolean;
  /** Chunks to read of a stream that does not end. */
  readonly chunks?: number;
  /** Text that restricted callers must not find in the answer; default: the mark in titles and texts. */
  readonly mark?: string;
}

export const plain = (input: Members = {}): Sample => ({ input: () => input });
export const make = (input: Sample["input"], others: Omit<Sample, "input"> = {}): Sample => ({ input, ...others });

/** `create_<x>`, `get_<x>`, `update_<x>` and `delete_<x>` of a kind of definition, each with its own record. */
export function listObject(noun: string, plural: string, members: Members, others: Omit<Sample, "input"> = {}) {
  const insert = async ({ engine, fresh }: World): Promise<string> => {
    const id = fresh(noun);
    await engine.execute({
      operation: `create_${noun}`,
      input: { id, title: id, ...members },
      actor: { kind: "system", id: "system", title: "", privileges: { admin: true }, categories: [], groups: [] },
    });
    return id;
  };
  return {
    [`get_${plural}`]: plain(),
    [`get_${noun}`]: make(async (world) => ({ id: await insert(world) }), others),
    [`create_${noun}`]: make(({ fresh }) => ({ id: fresh(noun), title: "New", ...members }), others),
    [`update_${noun}`]: make(async (world) => ({ id: await insert(world), notes: "Changed" }), others),
    [`delete_${noun}`]: make(async (world) => ({ id: await insert(world) }), others),
  };
}

export const activeJob = async ({ jobs, fresh }: World, server?: string, members: Members = {}): Promise<string> => {
  const id = fresh("ja");
  const where = server === undefined ? {} : { server };
  await jobs.active(id, { event: "ev", category: "alpha", targets: ["ga"], ...where, ...members });
  return id;
};
export const finalJob = async ({ jobs, fresh }: World): Promise<string> => {
  const id = fresh("jd");
  await jobs.final(id, { event: "ev", category: "alpha", targets: ["ga"], code: 0 });
  return id;
};
/** A live invocation on the server "sa". */
export const invocation = async ({ storage, fresh }: World, alert = "hot"): Promise<string> => {
  const id = fresh("inv");
  await storage.write((tx) =>
    tx.collection(invocationCollection).insert({
      ...{ id, alert, server: "sa", date: 1, active: true, modified: 1, tickets: [], exp: "1" },
      ...{ message: MARK, count: 1, notified: true, groups: ["ga"], jobs: [] },
    }),
  );
  return id;
};
/** A stored server that is not connected. */
export const offlineServer = async ({ storage, fresh }: World): Promise<string> => {
  const id = fresh("so");
  await storage.write((tx) =>
    tx.collection(serverCollection).insert({
      ...{ id, hostname: id, ip: "127.0.0.1", enabled: true, groups: ["ga"], autoGroup: false },
      ...{ created: 1, modified: 1, info: {} },
    }),
  );
  return id;
};
export const SILENCE = { title: `Works ${MARK}`, groups: ["ga"], end: 4_000_000_000 };
export const silence = async ({ api, fresh }: World): Promise<string> => {
  const id = fresh("q");
  await api.createSilence({ id, ...SILENCE });
  return id;
};
/** A firing for a job that failed. */
export const delivery = async ({ api, storage, fresh }: World): Promise<string> => {
  const [id, hook] = [fresh("wd"), fresh("wh")];
  await api.createWebHook({ id: hook, title: "T", method: "POST", url: "https://example.com/" });
  await storage.write((tx) =>
    tx.collection(webHookDeliveryCollection).insert({
      ...{ id, web_hook: hook, title: MARK, type: "job", about: "jf", category: "alpha", targets: ["ga"] },
      ...{ created: 1, date: 1, attempts: 1, code: "webhook", description: "E", details: "", key: "", data: {} },
    }),
  );
  return id;
};
export const check = async ({ api, fresh }: World): Promise<string> => {
  const id = fresh("ck");
  await api.createCheck({ id, title: `Shop ${MARK}`, type: "http", url: "https://example.com/", category: "alpha" });
  return id;
};
export const heartbeat = async ({ api, fresh }: World): Promise<string> => {
  const id = fresh("hb");
  await api.createHeartbeat({ id, title: `Copy ${MARK}`, every: 60, category: "alpha" });
  return id;
};
export const bucket = async ({ api, fresh }: World): Promise<string> => {
  const id = fresh("b");
  await api.createBucket({ id, title: id, data: { a: 1 } });
  return id;
};
/** A ticket that the call may use up. */
export const ticket = async ({ api, fresh }: World, events: readonly Members[] = []): Promise<string> => {
  const id = fresh("tk");
  await api.createTicket({ id, subject: `Ticket ${MARK}`, category: "alpha", events });
  return id;
};
export const SECRET_KEY = "correct horse battery staple";
export const eventMembers = {
  ...{ title: "New", enabled: true, category: "alpha", plugin: "testplug" },
  ...{ targets: ["ga"], algo: "random", triggers: [{ type: "manual", enabled: true }] },
};

export const account = (username: string): Members => ({
  username,
  full_name: "New",
  email: "new@example.com",
  password: "secret",
});
export const asLogin = (usual: Expected): Expected => (usual === "through" ? usual : { ...usual, code: "login" });
export const FEW = ["nobody", "an unknown key", "an expired session", "a session without CSRF token"];
