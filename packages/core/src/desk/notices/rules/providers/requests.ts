import { isOver, isTakenOver, type Preset, presetBody } from "../texts/presets.ts";
import { alertOf, matrixMessage, opsgenieTexts } from "./bodies.ts";
import type { Service } from "./names.ts";
import type { Settings } from "./settings.ts";

/** A notice to be sent to a service. */
export interface ServiceCall {
  /** Data of the notice, with the decrypted settings of the receiver. */
  readonly preset: Preset;
  /** Idempotency key of the notice; services that support keys count all attempts at a notice as one. */
  readonly key: string;
  /** The service's id of the first message about the problem; absent = there was none, or it has no id. */
  readonly first?: string | undefined;
}

export interface ServiceRequest {
  readonly method: "POST" | "PUT";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Members = Readonly<Record<string, unknown>>;

const bearer = (token: string | undefined): Readonly<Record<string, string>> =>
  token ? { Authorization: `Bearer ${token}` } : {};

const post = (url: string, members: Members, headers: Readonly<Record<string, string>> = {}): ServiceRequest => ({
  method: "POST",
  url,
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(members),
});

const bare = (url: string): string => url.replace(/\/+$/, "");

/** The request that sends a notice to a service (docs/contract/notices.md#services). */
export const requestOf = (service: Service, call: ServiceCall): ServiceRequest => REQUESTS[service](call, bodyOf);

/** The body of a format with the settings filled in. */
const bodyOf = (format: Parameters<typeof presetBody>[0], preset: Preset): Members =>
  JSON.parse(presetBody(format, preset)) as Members;

type Write = (call: ServiceCall, body: typeof bodyOf) => ServiceRequest;

const REQUESTS: Readonly<Record<Service, Write>> = {
  slack({ preset, first }, body) {
    const { url, token, channel } = preset.settings;
    if (!token) return post(url ?? "", body("slack", preset));
    const thread =
      first === undefined ? {} : { thread_ts: first, ...(isOver(preset) ? { reply_broadcast: true } : {}) };
    return post(
      "https://slack.com/api/chat.postMessage",
      { channel, ...body("slack", preset), ...thread },
      bearer(token),
    );
  },
  teams: ({ preset }, body) => post(preset.settings["url"] ?? "", body("teams", preset)),
  discord({ preset }, body) {
    const url = new URL(preset.settings["url"] ?? "");
    url.searchParams.set("wait", "true");
    return post(url.href, body("discord", preset));
  },
  telegram({ preset, first }, body) {
    const { token = "", thread } = preset.settings;
    const reply =
      first === undefined ? {} : { reply_parameters: { message_id: Number(first), allow_sending_without_reply: true } };
    return post(`https://api.telegram.org/bot${token}/sendMessage`, {
      ...body("telegram", preset),
      ...(thread ? { message_thread_id: Number(thread) } : {}),
      ...reply,
    });
  },
  pagerduty({ preset }, body) {
    const host = preset.settings["region"] === "eu" ? "events.eu.pagerduty.com" : "events.pagerduty.com";
    return post(`https://${host}/v2/enqueue`, body("pagerduty", preset));
  },
  opsgenie({ preset }) {
    const url = `${bare(opsgenieBase(preset.settings))}/v2/alerts`;
    const headers = { Authorization: `GenieKey ${preset.settings["key"]}` };
    const turn = isOver(preset) ? "close" : isTakenOver(preset) ? "acknowledge" : undefined;
    if (turn === undefined) return post(url, alertOf(preset), headers);
    return post(`${url}/${preset.notice.problem}/${turn}?identifierType=alias`, opsgenieTexts(preset), headers);
  },
  ntfy({ preset }, body) {
    const { url = "https://ntfy.sh", token } = preset.settings;
    return post(url, body("ntfy", preset), bearer(token));
  },
  matrix({ preset, key, first }) {
    const { url = "", room = "", token } = preset.settings;
    const path = `rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(key)}`;
    const thread = first === undefined ? {} : { "m.relates_to": { rel_type: "m.thread", event_id: first } };
    const sent = post(`${bare(url)}/_matrix/client/v3/${path}`, { ...matrixMessage(preset), ...thread }, bearer(token));
    return { ...sent, method: "PUT" };
  },
};

const opsgenieBase = ({ base_url, region }: Settings): string =>
  base_url || (region === "eu" ? "https://api.eu.opsgenie.com" : "https://api.opsgenie.com");
