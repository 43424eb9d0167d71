import type { Cradle } from "../../../kernel/container.ts";
import { DomainError, DuplicateError, InputError } from "../../../kernel/errors/errors.ts";
import { isLargeRecord } from "../../../lib/json/json-size.ts";
import { createCalendar, OWN_ZONE } from "../../../lib/time/calendar.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import type { DateContext } from "../../../search/parse/dates.ts";
import { ticketCollection } from "../collection.ts";
import { fileLifetime, livingFiles } from "../links/rules/upload-limits.ts";
import type { Ticket } from "../model.ts";
import { unknownTicket } from "./faults.ts";

/** Reads and replaces tickets, one writer per ticket at a time. */
export interface Shelf {
  /** Whole Unix seconds. */
  now(): number;
  dates(): DateContext;
  load(tx: ReadTx, id: string): Promise<Ticket | undefined>;
  /** Locks and reads a ticket: other writers wait until the transaction ends. */
  lock(tx: WriteTx, id: string): Promise<Ticket | undefined>;
  /** The same; throws `DomainError` for an unknown id. */
  require(tx: WriteTx, id: string): Promise<Ticket>;
  /** Throws `DomainError` for an id that is taken, and `InputError` for a ticket larger than a record may be. */
  insert(tx: WriteTx, ticket: Ticket): Promise<void>;
  /** Stores the ticket without its expired files, and returns it as stored. */
  replace(tx: WriteTx, ticket: Ticket): Promise<Ticket>;
  /** Throws `InputError` for a text too large for any record, before any work on it. */
  checkText(text: unknown): void;
  /** Adds to the daily counters once the change is committed. */
  count(tx: WriteTx, ...names: readonly string[]): void;
}

const tooLarge = (): InputError => new InputError("Record is too large.");
const lockOf = (id: string): string => `ticket:${id}`;

type Deps = Pick<Cradle, "clock" | "config" | "jobs">;

export function createShelf(deps: Deps): Shelf {
  const { clock, config } = deps;
  const calendar = createCalendar();
  const load: Shelf["load"] = (tx, id) => tx.collection(ticketCollection).get(id);
  const lock: Shelf["lock"] = async (tx, id) => {
    await tx.lock(lockOf(id));
    return load(tx, id);
  };
  const now = (): number => Math.floor(clock.now());
  const checkSize = (ticket: Ticket): Ticket => {
    if (isLargeRecord(ticket, config.api.max_record_size)) throw tooLarge();
    return ticket;
  };
  return {
    now,
    dates: () => ({ now: now(), calendar, zone: config.tz ?? OWN_ZONE }),
    load,
    lock,
    async require(tx, id) {
      const ticket = await lock(tx, id);
      if (!ticket) throw unknownTicket(id);
      return ticket;
    },
    insert: (tx, ticket) => tx.collection(ticketCollection).insert(checkSize(ticket)).catch(refuseTaken(ticket)),
    replace(tx, { files, ...ticket }) {
      // A ticket that ever had files keeps the list, even when the last one is gone.
      const living = files && livingFiles(files, now(), fileLifetime(config));
      const next = checkSize({ ...ticket, ...(living ? { files: living } : {}) } as Ticket);
      return tx.collection(ticketCollection).update(next.id, () => next);
    },
    checkText(text) {
      if (typeof text === "string" && text.length > config.api.max_record_size) throw tooLarge();
    },
    count: (tx, ...names) => tx.afterCommit(() => deps.jobs.stats.count(names)),
  };
}

const refuseTaken =
  ({ id }: Ticket) =>
  (error: unknown): never => {
    if (!(error instanceof DuplicateError)) throw error;
    throw new DomainError("ticket", "conflict", `Failed to create ticket: ID already exists: ${id}`, { cause: error });
  };
