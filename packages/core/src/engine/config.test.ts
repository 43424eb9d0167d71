import { describe, expect, test } from "vitest";
import * as z from "zod";
import { memoryStorage } from "../memory/memory-storage.ts";
import { configSchema, parseConfig } from "./config.ts";
import { createSignalbox } from "./signalbox.ts";

describe("a wrong configuration fails when the engine is created, naming the path", () => {
  test.each<[Record<string, unknown>, string]>([
    [{ db_maint: { activity: { max_rows: -1 } } }, "db_maint.activity.max_rows"],
    [{ User: { valid_username_match: "(" } }, "User.valid_username_match: not a regular expression"],
    [{ tz: "Mars/Olympus" }, "tz: not a time zone"],
    [{ locale: "no such locale" }, "locale: not a locale"],
    [{ maintenance: "4 o'clock" }, "maintenance"],
    [{ client: { ticket_upload_settings: { max_file_size: "big" } } }, "client.ticket_upload_settings.max_file_size"],
    [{ airgap: { enabled: "yes" } }, "airgap.enabled"],
    [{ default_plugin_credentials: { event: { uid: [] } } }, "default_plugin_credentials.event.uid"],
    [{ email_from: "operations" }, "email_from: not a mail address"],
    [{ email_from: "Ops <a@b.c>\r\nBcc: x@y.z" }, "email_from: not a mail address"],
    [{ base_app_url: "javascript:alert(1)" }, "base_app_url: not an address"],
    [{ WebServer: { response_headers: { "X Y": "a" } } }, "WebServer.response_headers.X Y"],
    [
      { WebServer: { response_headers: { "X-Y": "a\r\nb" } } },
      "WebServer.response_headers.X-Y: not a value of a header",
    ],
    [{ WebServer: { server_signature: "a\n" } }, "WebServer.server_signature: not a value of a header"],
    [{ api: { trusted_proxies: ["localhost"] } }, "api.trusted_proxies.0: neither an address, a network"],
    [{ timeline_expiration: "6 months" }, "timeline_expiration: not a duration"],
    [{ log_archive_keep: "" }, "log_archive_keep: not a duration"],
    [{ max_inline_job_log_size: "big" }, "max_inline_job_log_size"],
    [
      { job_universal_actions: { default: [{ enabled: true, condition: "never", type: "snapshot" }] } },
      "job_universal_actions.default: Malformed action entry #1: Invalid condition",
    ],
    [
      { alert_universal_actions: [{ enabled: true, condition: "alert_new", type: "email" }] },
      "alert_universal_actions: Malformed action entry #1: Invalid user list.",
    ],
    [
      { job_universal_limits: { workflow: [{ enabled: true, type: "time" }] } },
      "job_universal_limits.workflow: Malformed limit entry #1: Invalid time limit",
    ],
  ])("%j", (config, path) => {
    const make = () => createSignalbox({ storage: memoryStorage(), secretKey: "a key of the tests", config });
    expect(make).toThrow(`Configuration ${path}`);
  });
});

test("an empty configuration has the defaults of the contract", () => {
  expect(parseConfig(undefined)).toMatchObject({
    base_app_url: "http://localhost:5522",
    file_expiration: "5 years",
    maintenance: "04:00",
    email_from: "admin@localhost",
    max_jobs_per_workflow: 1000,
    db_maint: { activity: { max_rows: 100_000 }, servers: { max_rows: 10_000 } },
    client: {
      bucket_upload_settings: { max_files_per_bucket: 100, max_file_size: 1_073_741_824, accepted_file_types: "" },
      job_upload_settings: { max_files_per_job: 100, user_file_expiration: "30 days" },
      new_event_template: {
        triggers: [{ type: "manual", enabled: true }],
        limits: [{ type: "job", amount: 1 }, {}, {}],
      },
    },
    default_plugin_credentials: { event: { uid: "", gid: "" }, scheduler: { uid: "", gid: "" } },
    tickets: { email_enabled: true, email_debounce_sec: 30, overdue_schedule: "04:30" },
    User: { session_expire_days: 365, free_accounts: false, self_delete: true, use_csrf: true },
  });
});

test("base addresses lose their trailing slashes, because paths are appended to them", () => {
  const given = { base_app_url: "https://ops.example/tools//", base_api_url: "https://api.example/v9/" };
  expect(parseConfig(given)).toMatchObject({
    base_app_url: "https://ops.example/tools",
    base_api_url: "https://api.example/v9",
  });
});

test("unknown keys are kept", () => {
  expect(parseConfig({ mine: { a: 1 }, api: { more: 2 } })).toMatchObject({ mine: { a: 1 }, api: { more: 2 } });
});

/** Paths of the schema without a description. */
function silentPaths(node: z.core.JSONSchema.JSONSchema, path: string): string[] {
  const members = Object.entries(node.properties ?? {});
  if (node.description !== undefined) return [];
  if (members.length === 0) return [path];
  return members.flatMap(([name, member]) =>
    silentPaths(member as z.core.JSONSchema.JSONSchema, path === "" ? name : `${path}.${name}`),
  );
}

test("every key has a description", () => {
  expect(silentPaths(z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" }), "")).toEqual([]);
});

test.each(["", "admin@localhost", "Ops <ops@example.com>", '"Ops, night" <ops@example.com>'])(
  "%j can be the sender of mails",
  (email_from) => {
    expect(parseConfig({ email_from }).email_from).toBe(email_from);
  },
);

test("a configured text of hooks replaces only its own default", () => {
  const { hook_text_templates: ours } = parseConfig(undefined);
  const { hook_text_templates: texts } = parseConfig({ hook_text_templates: { job_error: "", mine: "{{job.id}}" } });
  expect(texts).toEqual({ ...ours, job_error: "", mine: "{{job.id}}" });
  expect(ours["job_success"]).toMatch(/succeeded/);
});
