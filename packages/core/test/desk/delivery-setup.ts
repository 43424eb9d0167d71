import type { WebHookRequest } from "../../src/ports/outside/web-hook-client.ts";
import { hot, hotMinute, join } from "../fleet/alert-setup.ts";
import type { useFleets } from "../fleet/fleet.ts";
import { keepingMailer } from "../scripted/keeping-mailer.ts";

export const MINUTE = 60;
export const chat = { id: "chat", title: "Chat", url: "http://chat.test/", method: "POST", body: "{{text}}" };

interface Answer {
  status: number;
  /** Runs while the service is handling the request. */
  meanwhile?: () => Promise<unknown>;
  /** Which requests are refused permanently, whatever the status. */
  refuses?: (request: WebHookRequest) => boolean;
}

export interface Setting {
  readonly severity?: string;
  readonly status?: number;
  /** Sender of mails; "" = none is configured. */
  readonly from?: string;
  /** Section `notices` of the configuration. */
  readonly notices?: Record<string, unknown>;
}

/** An overheating server, and a room whose service answers with a status that the test may change. */
export async function setUpDelivery(
  start: ReturnType<typeof useFleets>,
  { severity = "critical", status = 503, from = "signalbox@example.com", notices = {} }: Setting = {},
) {
  const answer: Answer = { status };
  const requests: WebHookRequest[] = [];
  const webHooks = {
    async send(request: WebHookRequest) {
      requests.push(request);
      await answer.meanwhile?.();
      if (answer.status === 0) throw new Error("Request to chat.test failed: ECONNRESET");
      const status = answer.refuses?.(request) ? 404 : answer.status;
      return { status, statusText: "Said", headers: {}, body: "", elapsedMs: 5 };
    },
  };
  const { mailer, sent } = keepingMailer();
  const config = { alert_universal_actions: [], email_from: from, notices };
  const fleet = await start({ config, mailer, webHooks });
  const { api } = fleet.signalbox;
  await api.createAlert({ ...hot, severity });
  await api.createWebHook(chat as never);
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  await api.createReceiver({ id: "room", title: "Room", type: "web_hook", web_hook: "chat", fallback: "ops" });
  await api.createRoute({ id: "all", title: "All", repeat_interval: 0, steps: [{ after: 0, to: ["room"] }] } as never);
  const agent = await join(fleet, "s1");
  const minute = async (temp: number) => {
    await hotMinute(fleet, agent, temp);
    await fleet.clock.advance(5);
  };
  const stay = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= MINUTE) await minute(60);
  };
  const health = async () => (await api.getReceiver({ id: "room" })).receiver.health;
  const activity = async (action: string) =>
    (await api.searchActivity({ query: `action:${action}`, limit: 50 })).rows.map((row) => row["description"]);
  return { fleet, api, answer, requests, sent, minute, stay, health, activity };
}
