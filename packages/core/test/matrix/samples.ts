import { downloadToken, streamToken } from "../../src/domains/jobs/rules/tokens.ts";
import type { Expected } from "./callers.ts";
import { MARK, type Members, type Person, type World } from "./world.ts";

/** How a well-formed call of an operation looks. */
export interface Sample {
  /** Called anew for every call that is let through: makes what the call will use up. */
  readonly input: (world: World, person: Person) => Members | Promise<Members>;
  /** What stands in for a credential, for operations that take a token. */
  readonly token?: (world: World) => Members;
  /** Code of the answer for those who may call, where it is no success. */
  readonly code?: string;
  /** The refusal names the id of the input in place of the category "alpha" or the group "ga". */
  readonly namesInput?: boolean;
  /** Callers who get something of their own, for operations that look at credentials themselves. */
  readonly callers?: Readonly<Record<string, (usual: Expected) => Expected>>;
  /** The only callers that are tried; for public operations whose every call hashes a password. */
  readonly only?: readonly string[];
  /** The answer waits for the clock. */
  readonly waits?: boolean;
  /** What limited callers must not find in the answer; default: the mark in titles and texts. */
  readonly mark?: string;
}

const plain = (input: Members = {}): Sample => ({ input: () => input });
const make = (input: Sample["input"], others: Omit<Sample, "input"> = {}): Sample => ({ input, ...others });

/** `create_<x>`, `get_<x>`, `update_<x>` and `delete_<x>` of a list object, each with an object of its own. */
function listObject(noun: string, plural: string, members: Members, others: Omit<Sample, "input"> = {}) {
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

const activeJob = async ({ jobs, fresh }: World, server?: string): Promise<string> => {
  const id = fresh("ja");
  const where = server === undefined ? {} : { server };
  await jobs.active(id, { event: "ev", category: "alpha", targets: ["ga"], ...where });
  return id;
};
const finalJob = async ({ jobs, fresh }: World): Promise<string> => {
  const id = fresh("jd");
  await jobs.final(id, { event: "ev", category: "alpha", targets: ["ga"], code: 0 });
  return id;
};
const SECRET_KEY = "correct horse battery staple";
const eventMembers = {
  ...{ title: "New", enabled: true, category: "alpha", plugin: "testplug" },
  ...{ targets: ["ga"], algo: "random", triggers: [{ type: "manual", enabled: true }] },
};

const account = (username: string): Members => ({
  username,
  full_name: "New",
  email: "new@example.com",
  password: "secret",
});
const asLogin = (usual: Expected): Expected => (usual === "through" ? usual : { ...usual, code: "login" });
const FEW = ["nobody", "an unknown key", "an expired session", "a session without CSRF token"];

/** One sample for each operation that is registered. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  ping: plain(),
  error: { ...plain(), code: "test" },
  echo: { ...plain({ sleep: 0 }), waits: true },

  get_api_keys: plain(),
  get_api_key: make(async ({ api }) => ({ id: (await api.createApiKey({ title: "Matrix" })).api_key.id })),
  create_api_key: plain({ title: "Matrix" }),
  update_api_key: make(async ({ api }) => ({
    id: (await api.createApiKey({ title: "Matrix" })).api_key.id,
    description: "Changed",
  })),
  delete_api_key: make(async ({ api }) => ({ id: (await api.createApiKey({ title: "Matrix" })).api_key.id })),

  search_activity: plain({ limit: 5 }),
  search_revision_history: plain({ type: "events", limit: 1000 }),
  get_multiple: plain({ lists: ["tags", "categories"] }),
  admin_get_config: plain(),
  admin_update_config: plain({ "client.name": "Matrix" }),

  "user/login": make(
    async (world) => {
      const { username, password } = await world.person();
      return { username, password };
    },
    { only: FEW },
  ),
  "user/logout": plain(),
  "user/resume_session": {
    ...plain(),
    callers: {
      "an unknown session": (usual) => usual,
      "a malformed session": (usual) => usual,
      "an expired session": (usual) => usual,
      "a session of a disabled user": asLogin,
      "a session of a user that is gone": asLogin,
    },
  },
  "user/create": { ...make(({ fresh }) => account(fresh("made"))), code: "user" },
  "user/update": make((_world, { username, password }) => ({ username, old_password: password, full_name: "New" })),
  "user/delete": make((_world, { username, password }) => ({ username, password })),
  "user/forgot_password": { ...plain({ username: "nobody", email: "nobody@example.com" }), waits: true },
  "user/reset_password": {
    ...plain({ username: "nobody", new_password: "new", key: "0".repeat(64) }),
    code: "login",
    waits: true,
    only: FEW,
  },
  "user/admin_create": make(({ fresh }) => account(fresh("made"))),
  "user/admin_update": make(async (world) => ({ username: (await world.person()).username, full_name: "New" })),
  "user/admin_delete": make(async (world) => ({ username: (await world.person()).username })),
  "user/admin_get_user": plain({ username: "admin" }),
  "user/admin_get_users": plain(),
  get_user_activity: plain(),
  user_settings: plain({ language: "de" }),
  logout_all: make((_world, { password }) => ({ password })),
  admin_logout_all: make(async (world) => ({ username: (await world.person()).username })),

  ...listObject("role", "roles", {}),
  ...listObject("channel", "channels", {}),
  ...listObject("secret", "secrets", { fields: [{ name: "A", value: "b" }] }),
  decrypt_secret: make(async ({ api, fresh }) => {
    const { secret } = await api.createSecret({ id: fresh("z"), title: "T", fields: [{ name: "A", value: "b" }] });
    return { id: secret.id };
  }),
  admin_rotate_secret_key: { ...plain({ password: "unknown" }), code: "admin" },
  test_web_hook: plain({ id: "test", title: "T", method: "POST", url: "https://example.com/" }),
  fire_job_web_hook: make(async (world) => {
    const { web_hook } = await world.api.createWebHook({ title: "T", method: "POST", url: "https://example.com/" });
    return { job: await activeJob(world, "sa"), server: "sa", web_hook: web_hook.id };
  }),

  ...listObject("tag", "tags", {}),
  ...listObject("category", "categories", {}, { namesInput: true }),
  multi_update_category: plain({ items: [{ id: "beta", sort_order: 3 }] }),
  ...listObject("web_hook", "web_hooks", { url: "https://example.com/", method: "POST" }),
  ...listObject("monitor", "monitors", { source: "cpu.currentLoad", data_type: "float" }),
  ...listObject("alert", "alerts", { expression: "monitors.load_avg > 100", message: "Load" }),

  ...listObject("plugin", "plugins", { type: "event", command: "[test-plugin]" }),
  test_monitor_plugin: { ...plain({ id: "open_files", server: "sa" }), code: "api" },
  test_scheduler_plugin: make(async ({ api, fresh }) => {
    const { plugin } = await api.createPlugin({ id: fresh("p"), title: "T", type: "scheduler", command: "decide" });
    return { id: plugin.id, params: { a: 1 }, timezone: "Europe/Berlin", epoch: 1_800_000_000 };
  }),

  get_events: plain(),
  get_event: plain({ id: "ev" }),
  create_event: make(({ fresh }) => ({ id: fresh("e"), ...eventMembers })),
  update_event: make(async ({ event }) => ({ id: await event(), notes: "Changed" })),
  delete_event: make(async ({ event }) => ({ id: await event() })),
  run_event: plain({ id: "ev" }),

  get_job: plain({ id: "jf" }),
  get_jobs: plain({ ids: ["jf"], verbose: true }),
  get_active_jobs: make(async ({ jobs, fresh }) => {
    await jobs.active(fresh("ja"), { event: "ev", category: "alpha", targets: ["ga"], label: MARK });
    return {};
  }),
  get_job_log: plain({ id: "jf" }),
  tail_live_job_log: make(async (world) => ({ id: await activeJob(world) })),
  download_job_log: make(() => ({ id: "jf", t: downloadToken("jf", SECRET_KEY) }), { token: () => ({}) }),
  view_job_log: make(() => ({ id: "jf", t: downloadToken("jf", SECRET_KEY) }), { token: () => ({}) }),
  stream_job: make(() => ({ id: "jf" }), { token: () => ({ token: streamToken("jf", SECRET_KEY) }) }),
  abort_job: make(async (world) => ({ id: await activeJob(world) })),
  delete_job: make(async (world) => ({ id: await finalJob(world) })),

  get_groups: plain(),
  get_group: plain({ id: "ga" }),
  get_active_servers: plain(),
  get_active_server: plain({ id: "sa" }),
  get_server: plain({ id: "sa" }),
  get_latest_monitor_data: plain({ server: "sa", sys: "hourly", limit: 1 }),
  get_historical_monitor_data: plain({ server: "sa", sys: "hourly", date: 1, limit: 1 }),
  get_quickmon_data: { ...plain({ shape: "values" }), mark: '"sa"' },
  get_alert_invocations: plain({ ids: ["inv"] }),
};
