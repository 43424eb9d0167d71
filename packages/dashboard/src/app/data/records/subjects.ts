import { listedOne, titleOf } from "./lists.ts";

/** What a firing is about: a server, or another subject. */
export interface OnSubject {
  /** Members of problems hold another subject here: "event:e1". */
  readonly server: string;
  readonly subject?: { readonly type: string; readonly id: string; readonly title: string } | undefined;
}

/** Base paths of the subjects' pages, by type. */
const PAGES: Readonly<Record<string, string>> = {
  server: "/servers",
  event: "/events",
  heartbeat: "/heartbeats",
  check: "/checks",
};

/** Type and id of the subject of a firing. */
export function subjectOf({ server, subject }: OnSubject): { readonly type: string; readonly id: string } {
  if (subject) return subject;
  const colon = server.indexOf(":");
  return colon < 0 ? { type: "server", id: server } : { type: server.slice(0, colon), id: server.slice(colon + 1) };
}

/** The subject's current name, or the one at the time of the firing when no record has it. */
export function subjectTitle(firing: OnSubject): string {
  const { type, id } = subjectOf(firing);
  if (type === "server") return titleOf("servers", id);
  return (type === "event" ? listedOne("events", id)?.title : undefined) ?? firing.subject?.title ?? id;
}

/** Path of the subject's page; undefined where there is none. */
export function subjectPath(firing: OnSubject): string | undefined {
  const { type, id } = subjectOf(firing);
  return PAGES[type] && `${PAGES[type]}/${id}`;
}

/** Types of subjects that silences and inputs can name, each with its member of a silence. */
const MEMBERS = { server: "servers", event: "events", heartbeat: "heartbeats", check: "checks" } as const;
type SubjectType = keyof typeof MEMBERS;
/** Lists of subjects as members of a silence. */
export type SubjectLists = { readonly [Member in (typeof MEMBERS)[SubjectType]]?: string[] };

const typeOf = (firing: OnSubject): SubjectType => {
  const { type } = subjectOf(firing);
  return Object.hasOwn(MEMBERS, type) ? (type as SubjectType) : "server";
};

/** The members of a silence that name these subjects, all of one type. */
export const namesOf = (...[first, ...rest]: readonly [OnSubject, ...OnSubject[]]): SubjectLists => ({
  [MEMBERS[typeOf(first)]]: [...new Set([first, ...rest].map((one) => subjectOf(one).id))],
});

/** The subject as a member of an operation's input: `{ event: "backup" }`. */
export const questionAbout = (firing: OnSubject): { readonly [Type in SubjectType]?: string } => ({
  [typeOf(firing)]: subjectOf(firing).id,
});

/** True when every list that is not empty names this subject. */
export const isNamedBy = (
  lists: { readonly [Member in keyof SubjectLists]?: readonly string[] | null | undefined },
  firing: OnSubject,
): boolean =>
  Object.values(MEMBERS).every((member) => {
    const named = lists[member] ?? [];
    return named.length === 0 || (member === MEMBERS[typeOf(firing)] && named.includes(subjectOf(firing).id));
  });
