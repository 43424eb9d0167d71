import type { Notice } from "../../model.ts";
import type { Turned } from "../delivery/health.ts";
import { contentOf, type Entry, MAX_LISTED } from "./content.ts";
import type { Preset } from "./presets.ts";

interface Apart {
  readonly notice: Pick<Notice, "id" | "problem" | "kind" | "seq" | "severity" | "date">;
  /** The notice in one line; absent = the same text as for a firing. */
  readonly line?: string;
  /** Content of the notice, in the form of a firing's entry. */
  readonly entry: Omit<Entry, "invocation" | "server" | "noun" | "severity" | "since" | "link">;
  readonly product: string;
  /** Address of the client. */
  readonly baseUrl: string;
}

/** The message of a notice that is not about firings, in the form of one that is. */
export function messageApart({ notice, line, entry: said, product, baseUrl }: Apart) {
  const { severity, date: since } = notice;
  const link = linkOf(baseUrl);
  const entry: Entry = { invocation: "", server: "", noun: "server", severity, since, link, ...said };
  if (line === undefined) return entriesApart({ notice, entries: [entry], product, link });
  const text = `${product}: ${line}: ${said.message}: ${link}`;
  const subject = `[${said.state === "over" ? "cleared" : severity}] ${line}`;
  return entriesApart({ notice, entries: [entry], product, link, words: { text, subject } });
}

const linkOf = (baseUrl: string): string => `${baseUrl}/#Alerts`;

interface Entries extends Pick<Apart, "notice" | "product"> {
  /** At least one. */
  readonly entries: readonly Entry[];
}

/** The message about ends of firings that are no longer stored. */
export const endsApart = ({ notice, entries, product, baseUrl }: Entries & Pick<Apart, "baseUrl">) =>
  entriesApart({ notice, entries, product, link: linkOf(baseUrl) });

interface Written extends Entries {
  readonly link: string;
  /** Text and subject; absent = the same as for firings. */
  readonly words?: { readonly text: string; readonly subject: string };
}

function entriesApart({ notice, entries, product, link, words }: Written) {
  const { id, problem, kind, seq, severity } = notice;
  const content = contentOf(notice, entries, product);
  const { text, subject } = words ?? content;
  const alerts = entries.slice(0, MAX_LISTED);
  const { title, message, nice_server, state } = entries[0] as Entry;
  const told = { id, problem, kind, seq, severity, count: entries.length, more: content.more };
  const preset: Omit<Preset, "settings"> = { notice, entries: alerts, more: content.more, subject, link, product };
  const data = {
    template: state === "over" ? "alert_cleared" : "alert_new",
    text,
    content: text,
    message: text,
    def: { title },
    alert: { message },
    nice_server,
    alerts,
    notice: { ...told, subject, lead: text, link },
  };
  return { text, loc: "#Alerts", data, preset, body: content.body, holdsBack: undefined };
}

interface Told {
  readonly notice: Notice;
  readonly turned: Turned;
  readonly product: string;
  /** Address of the client. */
  readonly baseUrl: string;
}

/** The message to the fallback of a receiver that has become dead, or is back. */
export function turnMessage({ notice, turned, product, baseUrl }: Told) {
  const { title: nice_server, description } = turned;
  const isBack = notice.kind === "receiver_back";
  const line = `${nice_server} ${isBack ? "is reached again" : "cannot be reached"}`;
  const entry = isBack
    ? ({ title: "Reached again", nice_server, message: "a notice has arrived there", state: "over" } as const)
    : ({ title: "Cannot be reached", nice_server, message: description, state: "new" } as const);
  return { ...messageApart({ notice, line, entry, product, baseUrl }), lead: "" };
}
