import { apiKeyCollection } from "../../../directory/api-keys/collection.ts";
import { categoryCollection } from "../../../directory/categories/collection.ts";
import { tagCollection } from "../../../directory/tags/collection.ts";
import { userCollection } from "../../../directory/users/collection.ts";
import type { User } from "../../../directory/users/model.ts";
import { userKey } from "../../../directory/users/rules/account.ts";
import { serverCollection } from "../../../fleet/servers/collection.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import { TICKET_STATUSES, TICKET_TYPES, type TicketValue } from "../../tickets/rules/values.ts";
import { formatDate } from "../rules/dates.ts";
import type { TicketNames } from "../rules/ticket-words.ts";

type Deps = Pick<Cradle, "config" | "definitions" | "lookups">;

export const accountOf =
  ({ definitions }: Pick<Deps, "definitions">) =>
  (username: string): User | undefined =>
    definitions.get(userCollection, userKey(username));

/** Unknown ids are shown as they are, in parentheses. */
const orRaw = (title: string | undefined, id: string): string => title || `(${id})`;
const titleIn = (values: readonly TicketValue[], id: string): string =>
  orRaw(values.find((value) => value.id === id)?.title, id);

/** Names as mails show them. `servers` are those asked for that are not connected. */
export function createTicketNames(deps: Deps, servers: ReadonlyMap<string, string>): TicketNames {
  const { config, definitions, lookups } = deps;
  const style = { timeZone: config.tz, locale: config.locale };
  const { due_date_format, date_time_format, more_statuses, more_types } = config.tickets;
  return {
    user(username) {
      if (username === "system") return "System";
      const known = accountOf(deps)(username)?.full_name ?? definitions.get(apiKeyCollection, username)?.title;
      return orRaw(known, username);
    },
    status: (id) => titleIn([...TICKET_STATUSES, ...more_statuses], id),
    type: (id) => titleIn([...TICKET_TYPES, ...more_types], id),
    category: (id) => orRaw(definitions.get(categoryCollection, id)?.title, id),
    server: (id) => orRaw(lookups.server(id) ?? servers.get(id), id),
    tag: (id) => orRaw(definitions.get(tagCollection, id)?.title, id),
    day: (epoch) => formatDate(due_date_format, epoch, style),
    time: (epoch) => formatDate(date_time_format, epoch, style),
  };
}

/** Titles of stored servers; those of connected ones are in memory. */
export async function storedServerNames(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = ids.length === 0 ? [] : await tx.collection(serverCollection).getMany([...new Set(ids)]);
  return new Map(found.flatMap((server) => (server ? [[server.id, server.title || server.hostname]] : [])));
}
