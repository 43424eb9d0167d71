import { groupRecords } from "../../../../directory/groups/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createDates } from "../../../../lib/time/dates.ts";
import type { Alert, Invocation, Notification } from "../../model.ts";
import { alertHookData, withHookText } from "../../rules/hook-data.ts";
import type { Display } from "./display.ts";

/**
 * Data of a transition for templates, web hooks and plugins (docs/contract/alerts.md#template-data). The invocation must have the
 * message of its last minute (`overlayLive`).
 */
export type AlertData = (
  subject: { readonly alert: Alert; readonly invocation: Invocation },
  notification: Notification,
) => Promise<Record<string, unknown>>;

type Deps = Pick<
  Cradle,
  "activeJobs" | "clock" | "config" | "definitions" | "expressions" | "lookups" | "servers" | "snapshot"
>;

export function createAlertData(deps: Deps, display: Display): AlertData {
  const { clock, config, definitions, expressions, lookups, snapshot } = deps;
  const formatDate = createDates(config);
  return ({ alert, invocation }, notification) =>
    snapshot(async (tx) => {
      // Read first: it may have to ask another node.
      const record = (await deps.servers.newestRecords(tx, [invocation.server])).get(invocation.server);
      // Notifications of problems do not carry the jobs that ran at the firing.
      const { active_jobs = await deps.activeJobs.among(tx, invocation.jobs) } = notification;
      const running = notification.condition === "alert_new" ? { active_jobs: [...active_jobs] } : {};
      const data = alertHookData({
        alert,
        invocation,
        notification: timed({ ...notification, ...running }, clock.now() - invocation.date),
        server: await deps.servers.find(tx, invocation.server),
        record,
        groups: definitions.all(groupRecords),
        baseUrl: config.base_app_url,
        clientConfig: config.client,
        emailFrom: config["email_from"],
        strip: display,
        formatDate,
        eventTitle: lookups.event,
      });
      const template = config.hook_text_templates[String(data["template"])] ?? STALE_TEXT;
      const text = expressions.compileTemplate(template).expand(data, { undefinedText: "n/a" });
      return withHookText(data, `${config.client.name} ${text}${String(data["nice_since"])}`);
    });
}

/** Default for configurations whose templates lack this one. */
const STALE_TEXT =
  "No more data of {{nice_server}}, so nobody knows whether it goes on: {{def.title}}: {{alert.message}}";

/** Adds to a repeated or delayed notification how long the firing has lasted. */
const timed = (notification: Notification, elapsed: number): Notification =>
  notification.round === undefined && notification.late === undefined
    ? notification
    : { ...notification, elapsed: Math.max(0, Math.floor(elapsed)) };
