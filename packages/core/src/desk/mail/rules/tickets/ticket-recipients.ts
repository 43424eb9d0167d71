import { readAddresses } from "../../../texts/addresses.ts";
import type { Ticket } from "../../../tickets/model.ts";

/** Members of an account that affect mail to it. */
export interface Recipient {
  /** Key of the account. */
  readonly id: string;
  readonly full_name: string;
  readonly email: string;
  readonly active?: unknown;
  /** False = no mail about changes made only by this person. */
  readonly mail_own_changes?: unknown;
}

export interface RecipientFacts {
  /** The account with a name; undefined = there is none. */
  readonly accountOf: (username: string) => Recipient | undefined;
  /** Authors of the changes in the mail, by their names in the history. */
  readonly authors: readonly string[];
}

/** Values for "off"; clients send preferences in several forms. */
const OFF: ReadonlySet<unknown> = new Set([false, 0, "0", "false"]);

/**
 * Recipients of a mail about a new or changed ticket, as header addresses without duplicates (docs/contract/mail.md#recipients).
 */
export function changeRecipients(
  { notify, assignees, cc }: Pick<Ticket, "notify" | "assignees" | "cc">,
  { accountOf, authors }: RecipientFacts,
): readonly string[] {
  const named = (name: string): string[] => mailboxOf(accountOf(name));
  const all = [
    ...notify,
    ...assignees.flatMap(named),
    ...cc.flatMap((each) => (each.includes("@") ? [each] : named(each))),
  ];
  const { addresses } = readAddresses(...all);
  const [author, ...others] = new Set(authors.map((name) => accountOf(name)?.id ?? name));
  const only = author === undefined || others.length > 0 ? undefined : accountOf(author);
  if (!only || !OFF.has(only.mail_own_changes) || only.email === "") return addresses;
  const own = new Set(readAddresses(only.email).addresses.map(bareAddress));
  return addresses.filter((address) => !own.has(bareAddress(address)));
}

/** Recipients of a mail about an overdue ticket. */
export function overdueRecipients(
  { assignees }: Pick<Ticket, "assignees">,
  { accountOf }: Pick<RecipientFacts, "accountOf">,
): readonly string[] {
  return readAddresses(...assignees.flatMap((name) => mailboxOf(accountOf(name)))).addresses;
}

/** The header address of an account; empty if the account is disabled or has no address. */
function mailboxOf(account: Recipient | undefined): string[] {
  if (!account?.active || account.email.trim() === "") return [];
  return [`"${account.full_name.replace(/["\\]/g, "")}" <${account.email}>`];
}

const bareAddress = (written: string): string => (/<([^<>]+)>$/.exec(written)?.[1] ?? written).toLowerCase();
