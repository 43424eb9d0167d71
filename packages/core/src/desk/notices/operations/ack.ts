import * as z from "zod";
import { severityOf } from "../../../fleet/alerts/rules/definition/severity.ts";
import { whoAcknowledged } from "../../../fleet/alerts/rules/telling/suppression.ts";
import type { StreamContext } from "../../../kernel/calls/context.ts";
import { anyone, defineStream, type StreamResult } from "../../../kernel/calls/operation.ts";
import { once } from "../../../lib/files/once.ts";
import { createDates } from "../../../lib/time/dates.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { DURATIONS, linkHeaders, linkPage, type PageEntry } from "../rules/links/page.ts";
import type { Opened } from "../services/links.ts";

/** Only a POST of the form acknowledges, since programs that scan addresses in mails and chats read pages but send no forms. */
export const ack = defineStream({
  name: "ack",
  method: "ANY",
  summary:
    "The page of a link in a notice: read, it asks whether to acknowledge and changes nothing; its form, sent by POST to the same address, acknowledges.",
  access: anyone,
  accepts: "anything",
  input: looseObject(() => ({
    name: z.string().max(1000).default("").describe("Who acknowledges, where the link names no user."),
    comment: z.string().max(10_000).default(""),
    duration: z
      .enum(["", ...DURATIONS.map(([seconds]) => seconds)])
      .default("")
      .describe("Seconds after which the acknowledgement ends; absent or empty = when the firings are over."),
  })),
  async handler({ duration, ...typed }, context): Promise<StreamResult> {
    const { client, services } = context;
    const token = client.pathSuffix.replace(/\/$/, "");
    const links = services.noticeLinks;
    const form = { ...typed, duration: duration === "" ? undefined : Number(duration) };
    const isSent = client.method === "POST";
    return page(context, await (isSent ? links.acknowledge(token, form, client) : links.look(token, client)));
  },
});

function page(context: StreamContext, { verdict, firings, asksName }: Opened): StreamResult {
  const { config, ids, services } = context;
  const dates = createDates(config);
  const entries = firings.map((firing): PageEntry => {
    const alert = services.alerts.definition(firing.alert);
    const server = services.servers.anywhere(firing.server);
    const place = firing.subject?.title ?? (server ? services.alerts.serverName(server) : firing.server);
    const by = firing.acknowledged && whoAcknowledged(firing.acknowledged);
    const severity = alert ? severityOf(alert, firing.subject) : (firing.severity ?? "warning");
    return { title: alert?.title ?? firing.alert, place, severity, since: dates(firing.date), by };
  });
  const nonce = ids.token();
  const shared = { product: config.client.name, signIn: `${config.base_app_url}/`, nonce };
  const html = linkPage({ ...shared, verdict, entries, asksName });
  return {
    status: verdict.status,
    contentType: "text/html; charset=utf-8",
    headers: linkHeaders(nonce),
    body: once(html),
  };
}
