import { apiKeyRecords } from "../../../../directory/api-keys/records.ts";
import { categoryRecords } from "../../../../directory/categories/records.ts";
import { tagRecords } from "../../../../directory/tags/records.ts";
import type { User } from "../../../../directory/users/model.ts";
import { userRecords } from "../../../../directory/users/records.ts";
import { userKey } from "../../../../directory/users/rules/account.ts";
import { serverRecords } from "../../../../fleet/servers/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { TICKET_STATUSES, TICKET_TYPES, type TicketValue } from "../../../tickets/rules/values.ts";
import { formatDate } from "../../rules/dates.ts";
import type { TicketNames } from "../../rules/tickets/ticket-words.ts";

type Deps = Pick<Cradle, "config" | "definitions" | "lookups">;

export const accountOf =
  ({ definitions }: Pick<Deps, "definitions">) =>
  (username: string): User | undefined =>
    definitions.get(userRecords, userKey(username));

/** The title, or the raw id in parentheses if it is unknown. */
const orRaw = (title: string | undefined, id: string): string => title || `(${id})`;
const titleIn = (values: readonly TicketValue[], id: string): string =>
  orRaw(values.find((value) => value.id === id)?.title, id);

/** Names for mails. `servers`: titles of servers that are not connected. */
export function createTicketNames(deps: Deps, servers: ReadonlyMap<string, string>): TicketNames {
  const { config, definitions, lookups } = deps;
  const style = { timeZone: config.tz, locale: config.locale };
  const { due_date_format, date_time_format, more_statuses, more_types } = config.tickets;
  return {
    user(username) {
      if (username === "system") return "System";
      const known = accountOf(deps)(username)?.full_name ?? definitions.get(apiKeyRecords, username)?.title;
      return orRaw(known, username);
    },
    status: (id) => titleIn([...TICKET_STATUSES, ...more_statuses], id),
    type: (id) => titleIn([...TICKET_TYPES, ...more_types], id),
    category: (id) => orRaw(definitions.get(categoryRecords, id)?.title, id),
    server: (id) => orRaw(lookups.server(id) ?? servers.get(id), id),
    tag: (id) => orRaw(definitions.get(tagRecords, id)?.title, id),
    day: (epoch) => formatDate(due_date_format, epoch, style),
    time: (epoch) => formatDate(date_time_format, epoch, style),
  };
}

/** Titles of stored servers. Titles of connected servers are in memory. */
export async function storedServerNames(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = ids.length === 0 ? [] : await tx.collection(serverRecords).getMany([...new Set(ids)]);
  return new Map(found.flatMap((server) => (server ? [[server.id, server.title || server.hostname]] : [])));
}
