import { listedOne, titleOf } from "./lists.ts";

/** A firing says what it is about: a server, or something else beside it. */
export interface OnSubject {
  /** Members of problems have another subject here: "event:e1". */
  readonly server: string;
  readonly subject?: { readonly type: string; readonly id: string; readonly title: string } | undefined;
}

/** Paths of the pages of subjects, by type. */
const PAGES: Readonly<Record<string, string>> = {
  server: "/servers",
  event: "/events",
  heartbeat: "/heartbeats",
  check: "/checks",
};

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

/** The types that silences and questions name, each with its member of a silence. */
const MEMBERS = { server: "servers", event: "events", heartbeat: "heartbeats", check: "checks" } as const;
type SubjectType = keyof typeof MEMBERS;
/** Lists of subjects as a silence has them. */
export type SubjectLists = { readonly [Member in (typeof MEMBERS)[SubjectType]]?: string[] };

const typeOf = (firing: OnSubject): SubjectType => {
  const { type } = subjectOf(firing);
  return Object.hasOwn(MEMBERS, type) ? (type as SubjectType) : "server";
};

/** The list of a silence that names these, which are of one type. */
export const namesOf = (...[first, ...rest]: readonly [OnSubject, ...OnSubject[]]): SubjectLists => ({
  [MEMBERS[typeOf(first)]]: [...new Set([first, ...rest].map((one) => subjectOf(one).id))],
});

/** The subject as an input of operations names it: `{ event: "backup" }`. */
export const questionAbout = (firing: OnSubject): { readonly [Type in SubjectType]?: string } => ({
  [typeOf(firing)]: subjectOf(firing).id,
});

/** True when this subject is in each list of subjects that is not empty. */
export const isNamedBy = (
  lists: { readonly [Member in keyof SubjectLists]?: readonly string[] | null | undefined },
  firing: OnSubject,
): boolean =>
  Object.values(MEMBERS).every((member) => {
    const named = lists[member] ?? [];
    return named.length === 0 || (member === MEMBERS[typeOf(firing)] && named.includes(subjectOf(firing).id));
  });
