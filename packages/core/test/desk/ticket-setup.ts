import { ticketMailCollection } from "../../src/desk/mail/collection.ts";
import type { Ticket } from "../../src/desk/tickets/model.ts";
import { activityCollection } from "../../src/directory/activity/collection.ts";
import type { ConfigInput } from "../../src/engine/config.ts";
import type { Actor } from "../../src/kernel/calls/context.ts";
import type { OperationCall } from "../../src/kernel/calls/pipeline.ts";
import type { Mail, Mailer } from "../../src/ports/outside/mailer.ts";
import { everything } from "../../src/search/ast.ts";
import { jobStatsCollection } from "../../src/work/jobs/collection.ts";
import { cradleProbe, keyWith, startEngine } from "../engine.ts";

type Members = Readonly<Record<string, unknown>>;
type Answer = Members & { readonly ticket: Ticket };

/** A key with only the privileges for tickets. */
export const editor = (id = "ada"): Actor => keyWith(["create_tickets", "edit_tickets", "delete_tickets"], { id });
export const administrator: Actor = keyWith(["admin"], { id: "root" });

/** An engine with the categories "rail" and "ops", and helpers for tests of tickets. */
export async function startTickets(options: { readonly config?: ConfigInput } = {}) {
  const probe = cradleProbe();
  const mails: Mail[] = [];
  // Without a mailer, no mail would be queued.
  const mailer: Mailer = { send: async (mail) => void mails.push(mail) };
  const engine = await startEngine({ mailer, ...options, plugins: [probe.plugin] });
  for (const id of ["rail", "ops"]) await engine.api.createCategory({ id, title: id });
  const cradle = probe.cradle();
  const call = (operation: string, input: Members = {}, actor: Actor = editor(), more: Partial<OperationCall> = {}) =>
    engine.execute({ operation, input, actor, ...more }) as Promise<Answer>;
  return {
    ...{ engine, cradle, mails, clock: engine.clock, call },
    create: async (input: Members = {}, actor?: Actor): Promise<Ticket> =>
      (await call("create_ticket", { subject: "Lamp", ...input }, actor)).ticket,
    read: async (id: string): Promise<Ticket> => (await call("get_ticket", { id })).ticket,
    /** Rows of the activity log about tickets, oldest first. */
    activity: () =>
      cradle.snapshot(async (tx) => (await tx.collection(activityCollection).list()).filter(aboutTickets)),
    /** Counters of today. */
    async counters(): Promise<Members> {
      await cradle.jobs.stats.flush();
      const { rows } = await cradle.snapshot((tx) => tx.collection(jobStatsCollection).find(everything));
      return rows[0]?.counts ?? {};
    },
    /** Keys of the entries that wait to be mailed for a ticket; undefined = none. */
    waiting: (id: string) =>
      cradle.snapshot(async (tx) => {
        const batch = await tx.collection(ticketMailCollection).get(id);
        return batch?.entries.map(({ key, type }) => key ?? type);
      }),
    [Symbol.asyncDispose]: engine.stop,
  };
}

const aboutTickets = ({ action }: { readonly action: string }): boolean => action.startsWith("ticket_");
