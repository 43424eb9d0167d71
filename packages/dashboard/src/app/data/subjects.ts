import { listedOne, titleOf } from "./lists.ts";

/** A firing says what it is about: a server, or something else beside it. */
export interface OnSubject {
  /** Members of problems have another subject here: "event:e1". */
  readonly server: string;
  readonly subject?: { readonly type: string; readonly id: string; readonly title: string } | undefined;
}

/** Where a subject of a type has its page. */
const PAGES: Readonly<Record<string, string>> = { server: "/servers", event: "/events" };

/** The type and the id of what a firing is about. */
export function subjectOf({ server, subject }: OnSubject): { readonly type: string; readonly id: string } {
  if (subject) return subject;
  const colon = server.indexOf(":");
  return colon < 0 ? { type: "server", id: server } : { type: server.slice(0, colon), id: server.slice(colon + 1) };
}

/** Its name now; the one from the time of the firing where no record has it. */
export function subjectTitle(firing: OnSubject): string {
  const { type, id } = subjectOf(firing);
  if (type === "server") return titleOf("servers", id);
  return (type === "event" ? listedOne("events", id)?.title : undefined) ?? firing.subject?.title ?? id;
}

/** Its page; undefined where there is none. */
export function subjectPath(firing: OnSubject): string | undefined {
  const { type, id } = subjectOf(firing);
  return PAGES[type] && `${PAGES[type]}/${id}`;
}

/** The member of a silence, or of a question, that names subjects of this type. */
export const namesOf = (firing: OnSubject): { readonly servers: string[] } | { readonly events: string[] } => {
  const { type, id } = subjectOf(firing);
  return type === "event" ? { events: [id] } : { servers: [id] };
};
