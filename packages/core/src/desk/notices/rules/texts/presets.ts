import type { Format, Notice } from "../../model.ts";
import type { Entry } from "./content.ts";

/** Settings of services in addition to an address. Values may be macros for secrets of the web hook. */
export const SETTINGS: Readonly<Record<Format, readonly string[]>> = {
  slack: [],
  teams: [],
  discord: [],
  telegram: ["chat"],
  ntfy: ["topic"],
  pagerduty: ["routing_key"],
};

/** Secret settings: each of them is enough to send to the service. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set(["routing_key"]);

export interface Preset {
  readonly notice: Pick<Notice, "problem" | "kind" | "severity" | "date">;
  /** Firings to list, in order; at least one. */
  readonly entries: readonly Entry[];
  /** Number of other firings; absent = none. */
  readonly more?: number;
  /** "[critical] Too hot on 30 servers". */
  readonly subject: string;
  readonly link: string;
  /** A line above the firings. */
  readonly above?: string | undefined;
  /** A line below the firings, about the firings that they hold back. */
  readonly below?: string | undefined;
  /** Address of the link that acknowledges without a login. */
  readonly ackUrl?: string;
  readonly product: string;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * The body of a request as a JSON template (docs/contract/notices.md#formats). Macros are expanded in settings, but never in
 * texts from machines.
 */
export function presetBody(format: Format, preset: Preset): string {
  const body = plainTemplate(BODIES[format](preset));
  const settings = SETTINGS[format].map((name) => [MEMBERS[name] ?? name, preset.settings[name] ?? ""]);
  if (settings.length === 0) return body;
  // Both are JSON objects with members; settings stay outside of `plainTemplate`, because they may be macros.
  return `${JSON.stringify(Object.fromEntries(settings)).slice(0, -1)},${body.slice(1)}`;
}

/** Members of bodies that have another name than their setting. */
const MEMBERS: Readonly<Record<string, string>> = { chat: "chat_id" };

/** Data as a JSON template in which no text is expanded as a macro. */
export const plainTemplate = (data: unknown): string => JSON.stringify(data).replaceAll("{{", "{\\u007b");

/** Buttons of a message, in the form that a service needs. */
const buttons = <B>({ link, ackUrl }: Preset, make: (label: string, url: string) => B): B[] => [
  make("View", link),
  ...(ackUrl === undefined ? [] : [make("Acknowledge", ackUrl)]),
];
export const isOver = ({ notice }: Pick<Preset, "notice">): boolean =>
  notice.kind === "cleared" || notice.kind === "receiver_back";
export const isTakenOver = ({ notice }: Pick<Preset, "notice">): boolean => notice.kind === "acknowledged";
/** Whether the notice need not wake anybody. */
export const isQuiet = (preset: Pick<Preset, "notice">): boolean =>
  isOver(preset) || isTakenOver(preset) || preset.notice.severity === "info";
/** Shortens a text without cutting a surrogate pair: characters outside the basic plane take two code units. */
export const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;

/** Lines for as many firings as fit; the rest is only counted. */
export function lines(preset: Preset, max: number, write: (text: string) => string): string {
  // Cut before `write`, since the written form of a character may take five characters.
  const [above, below] = [preset.above, preset.below].map((text) =>
    text === undefined ? [] : [write(shortened(text, Math.floor(max / 12)))],
  ) as [string[], string[]];
  const room = max - [...above, ...below].reduce((sum, { length }) => sum + length + 1, 0);
  return [...above, linesOf(preset, room, write), ...below].join("\n");
}

function linesOf(preset: Preset, max: number, write: (text: string) => string): string {
  const { entries, link, more = 0 } = preset;
  const all = entries.map(
    ({ nice_server, title, message, state }) =>
      `${state === "over" && !isOver(preset) ? "over: " : ""}${nice_server}: ${title}: ${message}`,
  );
  const others = (count: number): string => (count > 0 ? `and ${count} more: ${link}` : "");
  const whole = [...all.map(write), ...(more > 0 ? [others(more)] : [])].join("\n");
  if (whole.length <= max) return whole;
  const kept: string[] = [];
  let room = max;
  for (const [at, text] of all.entries()) {
    const rest = others(all.length + more - at);
    const line = write(text);
    const left = room - rest.length - 1;
    if (line.length > left && at > 0) return [...kept, rest].join("\n");
    // The first firing is always listed, cut if necessary.
    kept.push(line.length > left ? cut(text, left, write) : line);
    room -= (kept[at]?.length ?? 0) + 1;
  }
  return [...kept, ...(more > 0 ? [others(more)] : [])].join("\n");
}

/** The written form of as much of a text as fits; the written form of a character may take five. */
function cut(text: string, max: number, write: (text: string) => string): string {
  let size = max;
  while (size > 1 && write(shortened(text, size)).length > max) size = Math.floor(size * 0.8);
  return write(shortened(text, size));
}

const COLORS: Readonly<Record<string, string>> = { info: "#2d7ff9", warning: "#e0a100", critical: "#d92b2b" };
const OVER_COLOR = "#2e9e4f";
const colorOf = (preset: Preset): string =>
  isOver(preset) ? OVER_COLOR : (COLORS[preset.notice.severity] ?? OVER_COLOR);

export const plainHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const markdown = (text: string): string => text.replace(/[\\`*_~|>[\]()#@]/g, "\\$&");

/** Maximum bytes of a message to Teams, below the 28 KB that Teams accepts. */
const MAX_CARD = 20_000;

/** A message to Teams with up to `max` characters about the firings, fewer if it exceeds `MAX_CARD`. */
function card(preset: Preset, max: number): object {
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      {
        type: "TextBlock",
        size: "Large",
        weight: "Bolder",
        wrap: true,
        text: markdown(shortened(preset.subject, 500)),
      },
      { type: "TextBlock", wrap: true, text: lines(preset, max, markdown).replaceAll("\n", "\n\n") },
      { type: "FactSet", facts: [{ title: "Severity", value: preset.notice.severity }] },
    ],
    actions: buttons(preset, (title, url) => ({ type: "Action.OpenUrl", title, url })),
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  const message = { type: "message", attachments: [{ contentType, content }] };
  const isGood = Buffer.byteLength(JSON.stringify(message)) <= MAX_CARD || max < 1000;
  return isGood ? message : card(preset, Math.floor(max * 0.7));
}

const BODIES: Readonly<Record<Format, (preset: Preset) => unknown>> = {
  slack: (preset) => ({
    text: plainHtml(preset.subject),
    blocks: [
      { type: "header", text: { type: "plain_text", text: shortened(preset.subject, 150) } },
      { type: "section", text: { type: "mrkdwn", text: lines(preset, 3000, plainHtml) } },
      { type: "context", elements: [{ type: "plain_text", text: `${preset.product}: ${preset.notice.severity}` }] },
      {
        type: "actions",
        elements: buttons(preset, (text, url) => ({ type: "button", text: { type: "plain_text", text }, url })),
      },
    ],
    attachments: [{ color: colorOf(preset), text: "" }],
  }),
  teams: (preset) => card(preset, 12_000),
  discord: (preset) => ({
    content: markdown(shortened(preset.subject, 1000)),
    embeds: [
      {
        title: shortened(preset.subject, 256),
        url: preset.link,
        description: lines(preset, 4096, markdown),
        color: Number.parseInt(colorOf(preset).slice(1), 16),
        // Discord lets only applications send buttons.
        ...(preset.ackUrl === undefined ? {} : { fields: [{ name: "Acknowledge", value: preset.ackUrl }] }),
      },
    ],
    allowed_mentions: { parse: [] },
  }),
  telegram: (preset) => ({
    text: `<b>${plainHtml(shortened(preset.subject, 200))}</b>\n${lines(preset, 3500, plainHtml)}`,
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
    disable_notification: isQuiet(preset),
    reply_markup: { inline_keyboard: [buttons(preset, (text, url) => ({ text, url }))] },
  }),
  ntfy: (preset) => ({
    title: preset.subject,
    // ntfy bounds the bytes, and a character may take three.
    message: lines(preset, 1300, (text) => text),
    priority: isQuiet(preset) ? 2 : ({ critical: 5, warning: 3, info: 2 }[preset.notice.severity] ?? 3),
    tags: [isOver(preset) ? "white_check_mark" : "warning"],
    click: preset.link,
    actions: buttons(preset, (label, url) => ({ action: "view", label, url })),
    sequence_id: preset.notice.problem,
  }),
  pagerduty: (preset) => ({
    event_action: isOver(preset) ? "resolve" : isTakenOver(preset) ? "acknowledge" : "trigger",
    dedup_key: `signalbox-${preset.notice.problem}`,
    payload: {
      summary: shortened(preset.subject, 1024),
      source: preset.entries[0]?.nice_server ?? preset.product,
      severity: preset.notice.severity,
      timestamp: new Date(preset.notice.date * 1000).toISOString(),
      component: preset.entries[0]?.server ?? "",
      group: preset.entries[0]?.group,
      class: preset.entries[0]?.title ?? "",
      custom_details: { firings: lines(preset, 8000, (text) => text) },
    },
    links: [{ href: preset.link, text: "View" }],
    client: preset.product,
    client_url: preset.link,
  }),
};
