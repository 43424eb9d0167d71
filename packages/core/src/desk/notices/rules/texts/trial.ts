import type { Notice, Receiver } from "../../model.ts";
import { contentOf, type Entry } from "./content.ts";
import type { Preset } from "./presets.ts";

export interface Trial {
  readonly receiver: Pick<Receiver, "id" | "title">;
  /** Name of the person who asked for it. */
  readonly by: string;
  readonly kind: "firing" | "cleared";
  /** Of the notice. */
  readonly id: string;
  /** Unix seconds. */
  readonly now: number;
  readonly product: string;
  /** Of the client, without a slash at its end. */
  readonly baseUrl: string;
}

const TITLE = "Test notice";

/** A notice about nothing, as it would look about something: by it people see whether a receiver can be reached. */
export function trialNotice({ receiver, by, kind, id, now, product, baseUrl }: Trial) {
  const link = `${baseUrl}/#Alerts`;
  const message = `${by} tries this receiver out. Nothing is wrong.`;
  const entry: Entry = {
    ...{ invocation: "", title: TITLE, server: "", nice_server: receiver.title, noun: "server", message, link },
    ...{ state: kind === "cleared" ? "over" : "new", severity: "info", since: now },
  };
  const notice: Notice = {
    ...{ id, problem: id, receiver: receiver.id, route: "", seq: 1, kind, date: now, severity: "info" },
    ...{ new: [], repeated: [], over: [], still: [], groups: [], outcome: "pending", text: "", attempts: 1, next: now },
  };
  const content = contentOf(notice, [entry], product);
  const told = { id, problem: id, kind, seq: 1, severity: "info", count: 1, more: 0 };
  const { text, subject, body } = content;
  const preset: Omit<Preset, "settings"> = { notice, entries: [entry], subject, link, product };
  const data = {
    ...{ template: kind === "cleared" ? "alert_cleared" : "alert_new", text, content: text, message: text },
    ...{ def: { title: TITLE }, alert: { message }, nice_server: receiver.title, alerts: [entry] },
    notice: { ...told, subject, lead: text, link },
  };
  return { notice, message: { text, loc: "#Alerts", data, preset, body, holdsBack: undefined } };
}
