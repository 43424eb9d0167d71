import type { AccessRequest } from "../../../../directory/access/rules/access.ts";
import type { Server } from "../../../servers/model.ts";
import type { Alert, Invocation, Subject } from "../../model.ts";

/**
 * Kinds of subjects: minutes of servers, servers that may stop reporting, events whose jobs are expected, heartbeats
 * that work elsewhere sends, addresses that are probed.
 */
export const KINDS = ["server", "presence", "event", "heartbeat", "check"] as const;
export type Kind = (typeof KINDS)[number];

type OfKind = { readonly subject?: unknown };

export const kindOf = ({ subject }: OfKind): Kind => KINDS.find((kind) => kind === subject) ?? "server";

/** Alerts on minutes of servers are evaluated when a minute arrives, all others by the leader once a minute. */
export const isByClock = (alert: OfKind): boolean => kindOf(alert) !== "server";

/** A subject of alerts that is not a server. */
export interface Watched {
  readonly subject: Subject;
  readonly category: string;
  readonly tags: readonly string[];
}

/** A watched subject, with the values that expressions read. */
export interface Sight {
  readonly watched: Watched;
  readonly context: Readonly<Record<string, unknown>>;
  /** The values could not be read: alerts neither fire nor clear. */
  readonly isUnknown?: true;
}

export const UNKNOWN = { context: {}, isUnknown: true } as const;

/** A server or other subject that an alert fires on. */
export type Place = Pick<Server, "id" | "hostname" | "ip" | "title"> & { readonly about?: Watched };

export const keyOfSubject = ({ type, id }: Pick<Subject, "type" | "id">): string => `${type}:${id}`;

const CHECK = "check:";

/** Id of the check whose key this is; undefined for any other place. */
export const checkIn = (place: string): string | undefined =>
  place.startsWith(CHECK) ? place.slice(CHECK.length) : undefined;

/** The place of a subject that is not a server; its key contains a colon, which ids of servers never do. */
export const placeOfWatched = (about: Watched): Place => ({
  id: keyOfSubject(about.subject),
  hostname: about.subject.title,
  ip: "",
  title: "",
  about,
});

type Ours = Pick<Invocation, "server" | "subject">;

/**
 * Key under which the states of alerts on a subject are stored: the id of a server, or type and id of another subject.
 */
export const placeOf = ({ server, subject }: Ours): string => (subject ? keyOfSubject(subject) : server);

/** The access that a caller needs to see an invocation. */
export const reachOf = ({
  server,
  subject,
  groups,
  category = "",
}: Ours & Pick<Invocation, "groups" | "category">): AccessRequest & { server?: string } =>
  subject ? { category } : { serverGroups: groups, server };

type Scope = Pick<Alert, "groups" | "categories" | "subject_tags">;

/** True when an alert applies to a place: groups select servers, categories and tags select other subjects. */
export const isForPlace = (
  scope: Scope,
  { groups, about }: { readonly groups: readonly string[]; readonly about?: Watched | undefined },
): boolean =>
  about
    ? isWithin(scope.categories, [about.category]) && isWithin(scope.subject_tags, about.tags)
    : isWithin(scope.groups, groups);

const isWithin = (list: readonly string[] | null | undefined, own: readonly string[]): boolean =>
  !list || list.length === 0 || own.some((each) => list.includes(each));
