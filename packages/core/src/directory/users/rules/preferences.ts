import { isSurelyLonger } from "../../../lib/json/json-size.ts";
import { NESTED_PREFERENCES, SIMPLE_PREFERENCES } from "../model.ts";

const NAMES: ReadonlySet<string> = new Set([...SIMPLE_PREFERENCES, ...NESTED_PREFERENCES]);
const MAX_NESTED_LENGTH = 65_536;

export const isPreference = (member: string): boolean => NAMES.has(member);

/** Picks the preferences from the members of an object. */
export function preferencesOf(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([member, value]) => isPreference(member) && value !== undefined),
  );
}

/** True for data whose JSON text is within the bound; false for values without a JSON text. */
export function isSmall(value: unknown): boolean {
  try {
    return !isSurelyLonger(value, MAX_NESTED_LENGTH) && (JSON.stringify(value) ?? "").length <= MAX_NESTED_LENGTH;
  } catch {
    // BigInts and circular values have no JSON text.
    return false;
  }
}

/** A search that pages store for a user. */
interface SavedSearch {
  readonly name: string;
  readonly icon: string;
  /** Address of the page with its query, in the form of the links in mails: "#Search?result=error". */
  readonly loc: string;
}

/** Saved searches of a new account (docs/contract/mail.md#preferences). */
export function savedSearches(username: string): SavedSearch[] {
  const jobs = (name: string, icon: string, result?: string): SavedSearch => ({
    name,
    icon,
    loc: result === undefined ? "#Search" : `#Search?result=${result}`,
  });
  const tickets = (name: string, icon: string, query: string): SavedSearch => ({
    name,
    icon,
    loc: `#Tickets?query=${encodeURIComponent(query)}`,
  });
  return [
    jobs("Completed Jobs", "calendar-check"),
    jobs("Successes", "check-circle", "success"),
    jobs("Errors", "alert-decagram", "error"),
    jobs("Warnings", "alert-rhombus", "warning"),
    jobs("Criticals", "fire-alert", "critical"),
    tickets("All Tickets", "text-box-multiple", "*"),
    tickets("Open Tickets", "text-box", "status:open"),
    tickets("Overdue Tickets", "clock-alert", "status:open due:<today"),
    tickets("My Inbox", "inbox", `status:open assignees:${username}`),
    tickets("My Drafts", "pencil", `status:draft username:${username}`),
  ];
}
