import { isLimited, reaches } from "../../../data/calls/session.ts";
import { listedOne } from "../../../data/records/lists.ts";
import type { SubjectLists } from "../../../data/records/subjects.ts";

type Lists = { readonly [Member in keyof SubjectLists | "groups"]?: readonly string[] | null | undefined };

/** Groups of a server; undefined if the caller does not know them. */
type GroupsOf = (server: string) => readonly string[] | undefined;

/** True for lists that name no subject and so apply to all; only viewers without a limited reach may write these. */
export const isForAll = ({ servers, groups, events, heartbeats, checks }: Lists): boolean =>
  [servers, groups, events, heartbeats, checks].every((list) => !list?.length);

/**
 * True if the server lets the viewer write a silence with these lists: viewers with a limited reach may silence only
 * what is in their groups and categories, and nothing that applies to all.
 */
export function isInReach(lists: Lists, groupsOf: GroupsOf): boolean {
  if (!isLimited()) return true;
  const { servers, groups, events, heartbeats, checks } = lists;
  const categories = [
    ...(events ?? []).map((id) => listedOne("events", id)?.category),
    ...(heartbeats ?? []).map((id) => listedOne("heartbeats", id)?.category),
    ...(checks ?? []).map((id) => listedOne("checks", id)?.category),
  ];
  return (
    !isForAll(lists) &&
    (groups ?? []).every((id) => reaches("groups", [id])) &&
    categories.every((id = "") => reaches("categories", [id])) &&
    (servers ?? []).every((id) => reaches("groups", groupsOf(id) ?? listedOne("servers", id)?.groups ?? []))
  );
}
