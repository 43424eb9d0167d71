import { isOver, isQuiet, lines, type Preset, plainHtml, shortened } from "../texts/presets.ts";

const PRIORITIES: Readonly<Record<string, string>> = { critical: "P1", warning: "P3", info: "P5" };

/** Fields of an acknowledgement or an end. */
export const opsgenieTexts = (preset: Preset) => ({
  source: preset.product,
  note: lines(preset, 15_000, (text) => text),
});

/** An alert of Opsgenie. Opsgenie only counts another one with the same alias. */
export function alertOf(preset: Preset) {
  const { entries, link, notice, product, subject } = preset;
  const [lead] = entries;
  return {
    message: shortened(subject, 130),
    alias: preset.notice.problem,
    source: product,
    description: lines(preset, 15_000, (text) => text),
    priority: PRIORITIES[notice.severity] ?? "P3",
    tags: [notice.severity],
    details: { link, problem: notice.problem, firings: String(entries.length) },
    entity: lead?.nice_server ?? product,
  };
}

/** A message for Matrix. Quiet ones, such as ends, are of type "m.notice", which makes no sound. */
export function matrixMessage(preset: Preset) {
  const { ackUrl, link, subject } = preset;
  const links = [["View", link], ...(ackUrl === undefined ? [] : [["Acknowledge", ackUrl]])];
  const written = lines(preset, 8000, plainHtml).replaceAll("\n", "<br>");
  const anchors = links.map(([label, url]) => `<a href="${plainHtml(url ?? "")}">${label}</a>`).join(" ");
  return {
    msgtype: isQuiet(preset) ? "m.notice" : "m.text",
    body: [subject, lines(preset, 8000, (text) => text), ...links.map((each) => each.join(": "))].join("\n"),
    format: "org.matrix.custom.html",
    formatted_body: `<strong>${plainHtml(subject)}</strong><br>${written}<br>${anchors}`,
    "m.mentions": {},
  };
}

/** Maximum characters of a text message. */
const MAX_SMS = 300;

/** A text message. It contains no link, because many phones and providers treat links as fraud. */
export function smsText(preset: Preset): string {
  const { entries, notice, subject } = preset;
  const names = [...new Set(entries.map(({ nice_server }) => nice_server))];
  const [only] = entries;
  const said = preset.above ?? (!isOver(preset) ? only?.message : undefined);
  const more = names.length > 1 ? `: ${names.join(", ")}` : said === undefined ? "" : `: ${said}`;
  const head = subject.startsWith("[") ? subject : `[${notice.severity}] ${subject}`;
  return shortened(`${head}${more}`, MAX_SMS);
}
