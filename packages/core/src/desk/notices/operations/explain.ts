import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import { invocationRecords } from "../../../fleet/alerts/records.ts";
import { reachOf } from "../../../fleet/alerts/rules/subjects.ts";
import type { QueryContext } from "../../../kernel/context.ts";
import { NotFoundError } from "../../../kernel/errors.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { isKnownZone } from "../../../lib/calendar.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import { Id, WordId } from "../../../wire/fields.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { decisionCollection, noticeCollection, problemCollection, receiverCollection } from "../collection.ts";
import { Decision, type Notice } from "../model.ts";
import { sentenceOf } from "../rules/texts/sentences.ts";
import { decisionOf } from "../services/decisions.ts";

const Explained = Decision.extend({
  /** Of the receiver; "" = no receiver. */
  title: z.string(),
  reason: z.string(),
});
type Explained = z.infer<typeof Explained>;

export const explainNotice = defineQuery({
  name: "explain_notice",
  method: "ANY",
  summary: "Tell of a firing, receiver by receiver, what was decided when and why: now, at a minute, or all along.",
  access: credentials,
  refuses: ["notfound"],
  input: z.looseObject({
    invocation: Id,
    receiver: WordId.optional(),
    /** Unix seconds: what was so at that time alone. */
    minute: z.number().optional(),
    timezone: z.string().refine(isKnownZone).optional(),
  }),
  output: listOf(Explained),
  async handler({ invocation: id, receiver, minute, timezone }, context) {
    const { actor, tx } = context;
    const invocation = await tx.collection(invocationRecords).get(id);
    if (!invocation) throw new NotFoundError(`Failed to locate alert invocation: ${id}`);
    requireAccess(actor, reachOf(invocation));
    const all = await decisionsOf(tx, id);
    const covers = ({ from, to }: Decision): boolean =>
      minute === undefined || (from <= minute + 59 && (to ?? minute) >= minute);
    const meant = all.filter((each) => covers(each) && (receiver === undefined || each.receiver === receiver));
    const rows: Explained[] = [];
    for (const each of meant) rows.push(await explained(context, each, clockOf(context, timezone)));
    return asList(rows);
  },
});

/** What was decided before, and what is decided now, oldest first. */
async function decisionsOf(tx: ReadTx, invocation: string): Promise<Decision[]> {
  const where = { kind: "term", field: "invocation", words: [invocation] } as const;
  const { rows: past } = await tx.collection(decisionCollection).find(where, { sortBy: "from", limit: 1000 });
  const { rows: problems } = await tx.collection(problemCollection).find(where, { limit: 100 });
  const current = problems.flatMap((problem) =>
    problem.members
      .filter((member) => member.invocation === invocation)
      .flatMap((member) =>
        Object.entries(member.standing).map(([receiver, standing]) =>
          decisionOf(problem, member, { receiver, standing }),
        ),
      ),
  );
  const isRouted = current.length > 0;
  return [...past.filter(({ receiver }) => receiver !== null || !isRouted), ...current].toSorted(
    (a, b) => a.from - b.from,
  );
}

async function explained(
  { tx }: QueryContext,
  decision: Decision,
  clock: (seconds: number) => string,
): Promise<Explained> {
  const { receiver: id, notice: noticeId } = decision;
  const receiver = id === null ? undefined : await tx.collection(receiverCollection).get(id);
  const notice = noticeId === undefined ? undefined : await tx.collection(noticeCollection).get(noticeId);
  const title = receiver?.title ?? id ?? "";
  const reason = sentenceOf(decision, { receiver: title, clock, ...factsOf(notice) });
  return { ...decision, title, reason };
}

const factsOf = (notice: Notice | undefined) => ({
  count: notice ? notice.new.length + notice.repeated.length + notice.over.length : 1,
  attempts: notice?.attempts ?? 1,
  result: notice?.result?.description ?? "",
  isPending: notice?.outcome === "pending",
});

function clockOf({ config }: QueryContext, timezone: string | undefined) {
  const timeZone = timezone ?? config.tz;
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  return (seconds: number): string => format.format(seconds * 1000);
}
