import { renderMarkdown } from "../../../../lib/markdown/render.ts";
import { escapeHtml } from "../../../../lib/text/html.ts";
import { oneLine } from "../../../../lib/text/one-line.ts";
import { plainLine } from "../../../texts/template.ts";
import type { Block } from "../../../texts/user-content.ts";
import type { Ticket, TicketChange } from "../../../tickets/model.ts";
import { NONE, type TicketNames, valueText } from "./ticket-words.ts";

/** Parts of a mail that are made from the history. An empty part leaves no gap. */
export interface TicketBlocks {
  readonly changes: Block;
  readonly ticket_body: Block;
  readonly comments: Block;
}

const EMPTY: Block = { text: "", html: "" };

/**
 * Parts of the mail about changes: the list of changes, the text if it changed, and the comments
 * (docs/contract/mail.md#content).
 */
export function changeBlocks(
  ticket: Pick<Ticket, "body">,
  entries: readonly TicketChange[],
  names: TicketNames,
): TicketBlocks {
  const hasBody = entries.some(({ key }) => key === "body");
  return {
    changes: changeList(entries, names),
    ticket_body: hasBody ? markdownBlock(ticket.body) : EMPTY,
    comments: joined(entries.filter(isRemark).map((entry) => remarkBlock(entry, names))),
  };
}

export const bodyBlock = (ticket: Pick<Ticket, "body">): Block => markdownBlock(ticket.body);

/** Each text is rendered separately, so that an open code block in it cannot swallow later text. */
const markdownBlock = (text: string): Block => ({ text: text.trim(), html: renderMarkdown(text) });

const joined = (blocks: readonly Block[]): Block => ({
  text: blocks.map(({ text }) => text).join("\n\n"),
  html: blocks.map(({ html }) => html).join("\n"),
});

/** An entry of any type with its own text. */
const isRemark = ({ body }: TicketChange): boolean => typeof body === "string" && /\S/.test(body);
const isListed = (entry: TicketChange): boolean =>
  entry.type !== "comment" && (entry.key !== undefined || entry.value !== undefined || !isRemark(entry));

function changeList(entries: readonly TicketChange[], names: TicketNames): Block {
  const lines = entries.filter(isListed).map((entry) => lineOf(entry, names));
  const list = (written: (text: string) => string): string =>
    lines
      .map(
        ({ who, what, value }) =>
          `- ${written(who)} ${written(what)}${value === undefined ? "" : ` **${written(value)}**`}`,
      )
      .join("\n");
  return { text: list(oneLine), html: renderMarkdown(list(plainLine)) };
}

interface Line {
  readonly who: string;
  readonly what: string;
  readonly value?: string;
}

/** By type of entry, the member that an entry without `key` is about; people can add such entries. */
const KEYS: Readonly<Record<string, string>> = { status: "status", assignment: "assignees" };

const WORDS: Readonly<Record<string, string>> = {
  created: "created the ticket",
  delete: "deleted a comment",
  body: "changed the text",
};

function lineOf(entry: TicketChange, names: TicketNames): Line {
  const who = names.user(entry.username);
  const key = entry.key ?? (Object.hasOwn(KEYS, entry.type) ? KEYS[entry.type] : undefined);
  if (key === undefined && entry.value === undefined) return { who, what: `added an entry: ${entry.type}` };
  if (key !== undefined && Object.hasOwn(WORDS, key)) return { who, what: WORDS[key] ?? "" };
  const value = valueText(key ?? entry.type, entry.value, names) || NONE;
  return { who, what: `changed the ${(key ?? entry.type).replaceAll("_", " ")} to`, value };
}

function remarkBlock(entry: TicketChange, names: TicketNames): Block {
  const { edited, date, body = "" } = entry;
  const when = edited ? `${names.time(date)} (edited ${names.time(edited)})` : names.time(date);
  const head = oneLine(`${names.user(entry.username)}, ${when}:`);
  const { text, html } = markdownBlock(body);
  return { text: `${head}\n\n${text}`, html: `<p><strong>${escapeHtml(head)}</strong></p>\n${html}` };
}
