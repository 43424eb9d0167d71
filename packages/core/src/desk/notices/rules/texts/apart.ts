import type { Notice } from "../../model.ts";
import type { Turned } from "../delivery/health.ts";
import { contentOf, type Entry } from "./content.ts";
import type { Preset } from "./presets.ts";

interface Apart {
  readonly notice: Pick<Notice, "id" | "problem" | "kind" | "seq" | "severity" | "date">;
  /** The notice in a line; absent = as of a firing. */
  readonly line?: string;
  /** Content of the notice, in the form of a firing's entry. */
  readonly entry: Omit<Entry, "invocation" | "server" | "noun" | "severity" | "since" | "link">;
  readonly product: string;
  /** Of the client. */
  readonly baseUrl: string;
}

/** The message of a notice that tells of no firing. */
export function messageApart({ notice, line, entry: said, product, baseUrl }: Apart) {
  const { id, problem, kind, seq, severity, date: since } = notice;
  const link = `${baseUrl.replace(/\/+$/, "")}/#Alerts`;
  const { title, message, nice_server } = said;
  const entry: Entry = { invocation: "", server: "", noun: "server", severity, since, link, ...said };
  const content = contentOf(notice, [entry], product);
  const { body } = content;
  const text = line === undefined ? content.text : `${product}: ${line}: ${message}: ${link}`;
  const mark = said.state === "over" ? "cleared" : severity;
  const subject = line === undefined ? content.subject : `[${mark}] ${line}`;
  const told = { id, problem, kind, seq, severity, count: 1, more: 0 };
  const preset: Omit<Preset, "settings"> = { notice, entries: [entry], subject, link, product };
  const data = {
    ...{ template: said.state === "over" ? "alert_cleared" : "alert_new", text, content: text, message: text },
    ...{ def: { title }, alert: { message }, nice_server, alerts: [entry] },
    notice: { ...told, subject, lead: text, link },
  };
  return { text, loc: "#Alerts", data, preset, body, holdsBack: undefined };
}

interface Told {
  readonly notice: Notice;
  readonly turned: Turned;
  readonly product: string;
  /** Of the client. */
  readonly baseUrl: string;
}

/** The message to the fallback of a receiver once that is dead, and once it is back. */
export function turnMessage({ notice, turned, product, baseUrl }: Told) {
  const { title: nice_server, description } = turned;
  const isBack = notice.kind === "receiver_back";
  const line = `${nice_server} ${isBack ? "is reached again" : "cannot be reached"}`;
  const entry = isBack
    ? ({ title: "Reached again", nice_server, message: "a notice has arrived there", state: "over" } as const)
    : ({ title: "Cannot be reached", nice_server, message: description, state: "new" } as const);
  return { ...messageApart({ notice, line, entry, product, baseUrl }), lead: "" };
}
