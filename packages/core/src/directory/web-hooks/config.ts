import * as z from "zod";
import { targetList, template } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** See docs/contract/actions.md#texts: the wording is Signalbox's, the macros are the contract's. */
const DEFAULT_HOOK_TEXTS: Readonly<Record<string, string>> = {
  job_start: "{{event.title}} has started on {{nice_server}}: {{links.job_details}}",
  job_success: "{{event.title}} succeeded on {{nice_server}}: {{links.job_details}}",
  job_error:
    "{{event.title}} failed on {{nice_server}} with code {{job.code}}: {{job.description}}: {{links.job_details}}",
  job_progress: "{{event.title}} is running on {{nice_server}}: {{links.job_details}}",
  job_suspended: "{{event.title}} waits for approval: {{links.job_details}}&resume=1",
  job_limited: "{{action.msg}}: {{links.job_details}}",
  alert_new: "Alert {{def.title}} on {{nice_server}}: {{alert.message}}: {{links.alert_url}}",
  alert_stale: "No more data of {{nice_server}}, so nobody knows whether it goes on: {{def.title}}: {{alert.message}}",
  alert_cleared: "Alert {{def.title}} cleared on {{nice_server}}",
  notice_firing: "{{def.title}} on {{number(notice.count)}}: {{notice.names}}: {{notice.link}}",
  notice_cleared: "Over: {{def.title}} on {{number(notice.count)}}: {{notice.names}}: {{notice.link}}",
  notice_repeat: "Still firing: {{def.title}} on {{notice.names}}: {{alert.message}}: {{notice.link}}",
  notice_flapping: "Flapping: {{def.title}} on {{notice.names}}: {{alerts[0].message}}: {{notice.link}}",
  notice_settled: "Flapping no more: {{def.title}} on {{notice.names}}: {{notice.link}}",
  notice_escalation: "Nobody has acknowledged: {{def.title}} on {{notice.names}}: {{alert.message}}: {{notice.link}}",
  notice_digest: "Digest: {{def.title}} on {{number(notice.count)}}: {{notice.names}}: {{notice.link}}",
};

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const webHooksConfig = {
  web_hooks: looseObject(() => ({
    allow: targetList
      .default([])
      .describe("Opens targets that are not public; `loopback`, `private`, `link-local`, `metadata` name kinds."),
    allow_link_local: z.boolean().default(false).describe("Short for `link-local` and `metadata` in `allow`."),
    max_deliveries: z
      .int()
      .nonnegative()
      .max(10_000)
      .default(1000)
      .describe("Firings that failed permanently and are kept, so that they can be sent again."),
  })).prefault({}),
  web_hook_custom_opts: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("Default members of every web hook: timeout, retries, headers …"),
  web_hook_dynamic_host: z.boolean().default(false).describe("Lets macros other than secrets give the host of a hook."),
  hook_text_templates: z
    .record(z.string(), template())
    .transform((given) => ({ ...DEFAULT_HOOK_TEXTS, ...given }))
    .prefault({})
    .describe(
      "Texts that hooks and mails begin with, by occasion; may contain macros. Texts not given keep their default.",
    ),
};
