import { afterEach } from "vitest";
import { ticketMailCollection } from "../../src/desk/mail/collection.ts";
import type { NoteOptions } from "../../src/desk/mail/services/tickets/ticket-mails.ts";
import { ticketCollection } from "../../src/desk/tickets/collection.ts";
import type { Ticket, TicketChange } from "../../src/desk/tickets/model.ts";
import { userCollection } from "../../src/directory/users/collection.ts";
import type { ConfigInput } from "../../src/engine/config.ts";
import type { Mail } from "../../src/ports/outside/mailer.ts";
import { createTestSignalbox } from "../../src/testing/test-signalbox.ts";
import { cradleProbe, recordingLogger } from "../engine.ts";

export interface BoxOptions {
  readonly config?: ConfigInput;
  readonly onMail?: (mail: Mail) => unknown;
  readonly now?: string;
  readonly timeZone?: string;
}
export type TicketBox = Awaited<ReturnType<typeof openTicketBox>>;

/** Opens boxes for the tests of a file and stops them after each test. */
export function useTicketBoxes(): typeof openTicketBox {
  const boxes: TicketBox[] = [];
  afterEach(async () => {
    for (const box of boxes.splice(0)) await box.stop();
  });
  return async (options) => {
    const box = await openTicketBox(options);
    boxes.push(box);
    return box;
  };
}

const PEOPLE = [
  { username: "ann", full_name: "Ann Lee" },
  { username: "bob", full_name: "Bob *Ray*" },
  { username: "gone", full_name: "Gone", active: false },
];

/** An engine in memory, with tickets written as the desk does it: the record and the note in one transaction. */
export async function openTicketBox({ config, ...options }: BoxOptions = {}) {
  const probe = cradleProbe();
  const log = recordingLogger();
  const box = await createTestSignalbox({
    log,
    ...options,
    config: { base_app_url: "https://ops.example.com/", ...config },
    plugins: [probe.plugin],
  });
  const cradle = probe.cradle();
  const { transact, ticketMails, storage } = cradle;
  await transact(async ({ tx }) => {
    for (const { username, ...more } of PEOPLE)
      await tx.collection(userCollection).insert({
        ...{ id: username, username, email: `${username}@example.com`, password: "", active: true },
        ...{ privileges: {}, roles: [], categories: [], groups: [], created: 1, modified: 1 },
        ...more,
      });
  });
  let num = 0;
  const now = (): number => Math.floor(box.clock.now());
  return {
    ...box,
    storage,
    cradle,
    log,
    /** Steps the clock by seconds as if the process had been away: work due in between does not run. */
    skip: (seconds: number) => box.clock.step(seconds),
    async write(id: string, members: Partial<Ticket> = {}, at: "once" | "debounced" = "once"): Promise<void> {
      const created: TicketChange = { type: "change", key: "created", username: "ann", date: now() };
      const ticket: Ticket = {
        ...{ id, num: ++num, subject: "Disk full", body: "It is *full*.", type: "issue", status: "open" },
        ...{ assignees: ["ann"], cc: [], notify: [], tags: [], due: 0, username: "ann" },
        ...{ created: now(), modified: now(), changes: [created] },
        ...members,
      };
      await transact(async (unit) => {
        await unit.tx.collection(ticketCollection).insert(ticket);
        await (at === "once" ? ticketMails.announce : ticketMails.note)(unit, ticket, [created]);
      });
    },
    async change(
      id: string,
      members: Partial<Ticket>,
      entries: readonly Partial<TicketChange>[] = Object.entries(members).map(([key, value]) => ({
        key,
        ...(key === "body" ? {} : { value }),
      })),
      options: NoteOptions = {},
    ): Promise<void> {
      const added = entries.map((entry) => ({ type: "change", username: "bob", date: now(), ...entry }));
      await transact(async (unit) => {
        const ticket = await unit.tx.collection(ticketCollection).update(id, (stored) => ({
          ...stored,
          ...members,
          changes: [...(members.changes ?? stored.changes), ...added],
        }));
        await ticketMails.note(unit, ticket, added, options);
      });
    },
    remove: (id: string) =>
      transact(async (unit) => {
        await unit.tx.collection(ticketCollection).delete(id);
        await ticketMails.drop(unit, id);
      }),
    /** Drops the waiting mails of a ticket. */
    forget: (id: string) => transact((unit) => ticketMails.drop(unit, id)),
    batches: () => storage.read((tx) => tx.collection(ticketMailCollection).list()),
    subjects: () => box.mails.map(({ subject }) => subject),
  };
}
