import {
  account,
  activeJob,
  asLogin,
  bucket,
  check,
  delivery,
  FEW,
  heartbeat,
  invocation,
  listObject,
  make,
  offlineServer,
  plain,
  type Sample,
  SILENCE,
  silence,
  ticket,
} from "./sample-makers.ts";
import { NOTICE_SAMPLES } from "./samples/notices.ts";
import { WORK_SAMPLES } from "./samples/work.ts";

/** One sample for each registered operation. */
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
  bulk_search_export: plain({ index: "tickets", columns: "id,num", format: "csv" }),
  // The client reconnects after a gap, so it receives all records.
  stream_updates: { ...plain({ last_event_id: "another-1" }), chunks: 2, mark: '"id":"ev"' },
  get_multiple: plain({ lists: ["tags", "categories"] }),
  admin_get_config: plain(),
  admin_update_config: plain({ "client.name": "Matrix" }),
  get_global_state: plain(),
  update_global_state: plain({ "matrix.value": 1 }),

  get_internal_jobs: plain(),
  test_internal_job: plain({ duration: 0 }),
  get_transfer_token: plain({ lists: ["tags"] }),
  admin_export_data: {
    ...plain({ lists: "tags" }),
    also: ["bulk_export"],
    token: ({ engine }) => engine.api.getTransferToken({ lists: ["tags"] }),
    waits: true,
  },
  admin_import_data: { ...plain(), code: "admin" },
  admin_delete_data: { ...plain({ items: [] }), code: "admin" },
  admin_stats: plain(),
  dash_stats: plain(),
  search_stat_history: plain({ limit: 5, current_day: 1 }),
  admin_reset_daily_stats: plain(),
  admin_run_maintenance: plain(),
  admin_run_optimization: plain(),
  bulk_search_delete: plain({ index: "activity", query: "action:nothing" }),

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
  admin_search_logs: { ...plain({ log: "Signalbox" }), code: "admin" },
  get_doc: { ...plain({ doc: "guide/secrets" }), code: "admin" },
  search_docs: { ...plain({ query: "secret" }), code: "admin" },
  get_master_releases: { ...plain(), code: "admin" },
  admin_upgrade_masters: { ...plain(), code: "admin" },
  master_command: { ...plain(), code: "admin" },
  admin_rotate_secret_key: { ...plain({ password: "unknown" }), code: "admin" },
  // The world has no mail server.
  send_email: { ...plain({ to: "x@example.com", subject: "S", body: "B" }), code: "email" },
  admin_send_test_email: plain({ to: "x@example.com" }),
  admin_broadcast_message: plain({ type: "info", message: "Hello" }),
  test_web_hook: plain({ id: "test", title: "T", method: "POST", url: "https://example.com/" }),
  get_web_hook_deliveries: make(async (world) => {
    await delivery(world);
    return {};
  }),
  resend_web_hook_delivery: make(async (world) => ({ id: await delivery(world) })),
  fire_job_web_hook: make(async (world) => {
    const { web_hook } = await world.api.createWebHook({ title: "T", method: "POST", url: "https://example.com/" });
    const made = { plugin: "hookplug", params: { web_hook: web_hook.id } };
    return { job: await activeJob(world, "sa", made), server: "sa", web_hook: web_hook.id };
  }),

  ...listObject("bucket", "buckets", { data: { a: 1 } }),
  write_bucket_data: make(async (world) => ({ id: await bucket(world), data: { b: 2 }, fetch: true })),
  // In-process calls have no files, so there is none to delete either.
  upload_bucket_files: make(async (world) => ({ id: await bucket(world) }), { code: "bucket" }),
  delete_bucket_file: make(async (world) => ({ id: await bucket(world), filename: "a.txt" }), { code: "bucket" }),
  empty_bucket: make(async (world) => ({ id: await bucket(world), files: true, data: true })),

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

  file: plain({ path: "jobs/jf/x/a.txt" }),
  satellite: { ...plain({ t: "unknown" }), code: "satellite" },
  get_satellite_token: plain({ title: "New", groups: ["ga"], expires: 60 }),
  get_satellite_releases: plain(),
  // Only one round runs at a time, and callers follow too quickly for a second one.
  admin_upgrade_workers: { ...plain({ targets: ["nobody"] }), code: "admin" },

  ...listObject("group", "groups", { hostname_match: "^nobody$" }, { namesInput: true }),
  multi_update_group: plain({ items: [{ id: "ga", sort_order: 5 }] }),
  get_servers: plain(),
  get_masters: plain(),
  drain_node: { ...plain({ node: "nobody" }), code: "node" },
  get_server_summaries: { ...plain(), mark: '"values"' },
  search_servers: plain({ query: "*", limit: 100 }),
  update_server: plain({ id: "sa", maxJobs: 3 }),
  update_server_data: plain({ id: "sa", data: { a: 1 } }),
  delete_server: make(async (world) => ({ id: await offlineServer(world), history: true })),
  get_group: plain({ id: "ga" }),
  watch_server: plain({ id: "sa", duration: 60 }),
  watch_group: plain({ id: "ga", duration: 60 }),
  create_snapshot: plain({ server: "sa" }),
  create_group_snapshot: plain({ group: "ga" }),
  get_snapshot: make(({ api }) => api.createSnapshot({ server: "sa" })),
  delete_snapshot: make(({ api }) => api.createSnapshot({ server: "sa" })),
  search_snapshots: make(async ({ api }) => {
    await api.createGroupSnapshot({ group: "ga" });
    return { limit: 10, verbose: true };
  }),
  get_active_servers: plain(),
  get_active_server: plain({ id: "sa" }),
  get_server: plain({ id: "sa" }),
  multi_update_monitor: plain({ items: [{ id: "load_avg", sort_order: 3 }] }),
  test_monitor: plain({ server: "sa", source: "load[0]", data_type: "float" }),
  get_latest_monitor_data: plain({ server: "sa", sys: "hourly", limit: 1 }),
  get_historical_monitor_data: plain({ server: "sa", sys: "hourly", date: 1, limit: 1 }),
  get_quickmon_data: { ...plain({ shape: "values" }), mark: '"sa"' },
  get_alert_invocations: plain({ ids: ["inv"] }),
  search_alerts: plain({ limit: 100 }),
  test_alert: plain({ server: "sa", expression: "monitors.load_avg > 1", message: "Load" }),
  get_ticket: plain({ id: "tk" }),
  get_tickets: plain({ ids: ["tk"] }),
  search_tickets: plain({ limit: 100 }),
  create_ticket: plain({ subject: "New", category: "alpha" }),
  update_ticket: make(async (world) => ({ id: await ticket(world), subject: "Changed" })),
  add_ticket_change: make(async (world) => ({ id: await ticket(world), change: { type: "comment", body: "New" } })),
  // Only its author may change an entry, so these callers get "not found".
  update_ticket_change: make(async (world) => ({ id: await ticket(world), change_id: "c1", delete: true }), {
    code: "ticket",
  }),
  upload_user_ticket_files: make(async (world) => ({ ticket: await ticket(world), save: true }), { code: "file" }),
  delete_ticket_file: make(async (world) => ({ id: await ticket(world), path: "files/none" }), { code: "ticket" }),
  run_ticket_event: make(async (world) => ({ id: await ticket(world, [{ id: "ev" }]), index: 0 }), {
    also: ["run_jobs"],
  }),
  delete_ticket: make(async (world) => ({ id: await ticket(world) })),
  bulk_search_delete_tickets: plain({ query: "num:>999999" }),
  manage_alert_invocation_tickets: make(async (world) => ({ id: await invocation(world), tickets: ["t1"] })),
  delete_alert_invocation: make(async (world) => ({ id: await invocation(world) })),
  acknowledge_alert_invocation: make(async (world) => ({ id: await invocation(world), comment: "Mine" })),
  unacknowledge_alert_invocation: make(async (world) => ({ id: await invocation(world) })),
  explain_alert: plain({ alert: "load_avg_high", server: "sa" }),
  backtest_alert: plain({ expression: "monitors.load_avg > 1", server: "sa" }),
  get_silences: make(async (world) => {
    await silence(world);
    return {};
  }),
  get_silence: make(async (world) => ({ id: await silence(world) })),
  create_silence: make(({ fresh }) => ({ id: fresh("q"), ...SILENCE })),
  update_silence: make(async (world) => ({ id: await silence(world), notes: "Changed" })),
  delete_silence: make(async (world) => ({ id: await silence(world) })),
  ...listObject("check", "checks", { type: "http", url: "https://example.com/", category: "alpha" }),
  get_checks: make(async (world) => {
    await check(world);
    return {};
  }),
  get_check_timeline: make(async (world) => ({ id: await check(world), sys: "hourly", limit: 10 })),
  test_check: make(async (world) => ({ id: await check(world) })),
  ...listObject("heartbeat", "heartbeats", { every: 60, category: "alpha" }),
  get_heartbeats: make(async (world) => {
    await heartbeat(world);
    return {};
  }),
  rotate_heartbeat_token: make(async (world) => ({ id: await heartbeat(world) })),
  heartbeat: { ...plain(), code: "notfound" },
  ...WORK_SAMPLES,
  ...NOTICE_SAMPLES,
};
