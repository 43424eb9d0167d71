import { hasAnyOf, type SearchNode, withTerms } from "../../../search/ast.ts";
import type { Activity } from "../model.ts";

const changes = (prefix: string, ...further: readonly string[]): readonly string[] =>
  ["create", "update", "delete", ...further].map((verb) => `${prefix}_${verb}`);

/** Actions that form the history of a type. Opening a secret is not part of it (docs/contract/activity.md#search-and-history). */
const ACTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["alerts", changes("alert")],
  ["categories", changes("category", "multi_update")],
  ["channels", changes("channel")],
  ["events", changes("event")],
  ["groups", changes("group", "multi_update")],
  ["monitors", changes("monitor", "multi_update")],
  ["plugins", changes("plugin")],
  ["tags", changes("tag")],
  ["web_hooks", changes("web_hook")],
  ["buckets", changes("bucket")],
  ["secrets", changes("secret")],
  ["tickets", changes("ticket", "add_change", "update_change")],
  ["roles", changes("role")],
]);

/** Undefined for a type without a history. */
export const historyActions = (type: string): readonly string[] | undefined => ACTIONS.get(type);

/** Returns the text of the refusal when a query tries to widen the filter that the type sets; otherwise undefined. */
export function refusedHistoryQuery(query: string): string | undefined {
  if (query.trimStart().startsWith("(")) return "Nope.";
  return /action\s*:/i.test(query) ? "No." : undefined;
}

/** An IPv4 address in the form of the keyword index. */
const ADDRESS = /^\d{1,3}(?:_\d{1,3}){3}$/;

/** Removes addresses from a condition. Otherwise the presence or absence of rows would reveal from where people work. */
export const withoutAddresses = (where: SearchNode): Promise<SearchNode> =>
  withTerms(where, ({ field, words }) =>
    hasAnyOf(
      field,
      words.filter((word) => !ADDRESS.test(word)),
    ),
  );

/**
 * Strips a row for people who may see the change but not the caller's network. Addresses are also keywords, so they are removed
 * there too.
 */
export function withoutNetwork(row: Activity): Record<string, unknown> {
  const { ip, ips, headers: _headers, useragent: _agent, keywords, ...rest } = row;
  const addresses = new Set([ip, ...ips]);
  return { ...rest, keywords: keywords.filter((word) => !addresses.has(word)) };
}
