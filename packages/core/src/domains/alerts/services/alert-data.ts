import type { Cradle } from "../../../kernel/container.ts";
import { eventCollection } from "../../events/collection.ts";
import { groupCollection } from "../../groups/collection.ts";
import type { Alert, Invocation, Notification } from "../model.ts";
import { alertHookData, withHookText } from "../rules/hook-data.ts";
import type { Display } from "./display.ts";

interface Subject {
  readonly alert: Alert;
  readonly invocation: Invocation;
}

/** What templates, hooks and plugins see of a transition (part 22 §7.3). */
export type AlertData = (subject: Subject, notification: Notification) => Promise<Record<string, unknown>>;

export function createAlertData(cradle: Cradle, display: Display): AlertData {
  const { config, definitions, expressions, snapshot } = cradle;
  const timeZone = config.tz === undefined ? {} : { timeZone: config.tz };
  const dates = new Intl.DateTimeFormat(config.locale, { dateStyle: "medium", timeStyle: "medium", ...timeZone });
  const eventTitle = (id: string): string | undefined => definitions.get(eventCollection, id)?.title;
  return ({ alert, invocation }, notification) =>
    snapshot(async (tx) => {
      const data = alertHookData({
        alert,
        invocation,
        notification,
        server: await cradle.servers.find(tx, invocation.server),
        record: await cradle.servers.hostRecord(tx, invocation.server),
        groups: definitions.all(groupCollection),
        baseUrl: config.base_app_url.replace(/\/+$/, ""),
        clientConfig: config.client,
        emailFrom: config["email_from"],
        strip: display,
        formatDate: (seconds) => dates.format(seconds * 1000),
        eventTitle,
      });
      const template = config.hook_text_templates[notification.condition] ?? "";
      const text = expressions.compileTemplate(template).expand(data, { undefinedText: "n/a" });
      return withHookText(data, `${config.client.name} ${text}`);
    });
}
