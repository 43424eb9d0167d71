import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { noticeCollection, receiverCollection } from "../../collection.ts";
import type { Notice, Problem, Route } from "../../model.ts";
import { ADMINISTRATORS } from "../../rules/delivery/administrators.ts";
import type { Account } from "../../rules/texts/accounts.ts";
import { type Deps, type Matter, titleOf } from "./about.ts";

/** Account of a notice that was sent, or should have been. */
export async function toldAccount(tx: ReadTx, deps: Deps, matter: Matter): Promise<Account> {
  const { decision, invocation, problem, member } = matter;
  const receiver = titleOf(deps, decision.receiver);
  const notice = await tx.collection(noticeCollection).get(decision.notice ?? "");
  const at = notice?.date ?? decision.from;
  if (decision.verdict === "failed") return failedAccount(tx, deps, { receiver, notice });
  const alone = { receiver, at, others: 0, noun: "server" };
  if (!notice) return { kind: "told", ...alone, attempts: 1, faults: [] };
  const company = { ...alone, ...companyOf(notice, problem, invocation.id) };
  if (notice.outcome === "pending") return { kind: "pending", ...company };
  if (notice.outcome === "uncertain") return { kind: "uncertain", receiver, at };
  const names = (list: readonly string[]): boolean => list.includes(member?.invocation ?? invocation.id);
  if (names(endsOf(notice))) return { kind: "over", receiver, at };
  if (notice.kind === "escalation") return { kind: "escalated", receiver, at, ...stepOf(deps, matter) };
  if (names(notice.repeated) && matter.route?.repeat_interval)
    return { kind: "repeated", receiver, at, ...repetitionOf(matter, matter.route) };
  const faults = (notice.deliveries ?? [])
    .filter(({ outcome }) => outcome !== "sent")
    .map(({ description }) => description);
  return { kind: "told", ...company, attempts: notice.attempts, faults: faults.map(shortFault) };
}

const endsOf = ({ over, brief = [] }: Notice): string[] => [...over, ...brief];

/** Count and noun of the other firings that a notice named. */
function companyOf(
  { new: fresh, repeated, over, brief = [] }: Notice,
  problem: Problem | undefined,
  invocation: string,
) {
  const named = new Set([...fresh, ...repeated, ...over, ...brief]);
  const members = problem?.members.filter((member) => named.has(member.invocation)) ?? [];
  const places = new Set(members.map(({ server }) => server));
  const isServers = places.size === named.size && [...places].every((place) => !place.includes(":"));
  named.delete(invocation);
  return { others: named.size, noun: isServers ? "server" : "firing" };
}

interface Undelivered {
  readonly receiver: string;
  readonly notice: Notice | undefined;
}

async function failedAccount(tx: ReadTx, deps: Deps, { receiver, notice }: Undelivered): Promise<Account> {
  const instead = await toldInstead(tx, notice?.id ?? "");
  return {
    kind: "failed",
    receiver,
    result: notice?.result?.description ?? "",
    instead: instead && {
      receiver: titleOf(deps, instead.receiver),
      at: instead.date,
      isMany: instead.receiver === ADMINISTRATORS.id,
    },
  };
}

/** The notice that replaced a failed one; if it failed too, the next in the chain. */
async function toldInstead(tx: ReadTx, missed: string): Promise<Notice | undefined> {
  const instead = await tx.collection(noticeCollection).get(`${missed}f`);
  return instead?.outcome === "failed" ? toldInstead(tx, instead.id) : instead;
}

/** The time of the next repetition, as long as the firing is live and this decision is the newest. */
function repetitionOf({ decision, member }: Matter, { repeat_interval: every }: Route) {
  const isNewest = decision.to === null && member?.ended === undefined && member?.hold === undefined;
  const last = member?.told[decision.receiver ?? ""]?.last;
  return { every, next: isNewest && last !== undefined ? last + every : undefined };
}

const MINUTE = 60;

/** The step that first named the receiver, and whether the step before it had a rota with nobody on duty. */
function stepOf({ definitions }: Deps, { decision, route, problem }: Matter) {
  const steps = route?.steps ?? [];
  const index = steps.findIndex(({ to, after }) => after > 0 && to.includes(decision.receiver ?? ""));
  const isUntold = (id: string): boolean => problem?.members.every(({ told }) => told[id] === undefined) ?? false;
  const before = steps[index - 1]?.to ?? [];
  const isRotaEmpty = before.some((id) => definitions.get(receiverCollection, id)?.type === "rota" && isUntold(id));
  return { after: (steps[index]?.after ?? 0) * MINUTE, isRotaEmpty };
}

const MAX_FAULT = 80;

/** "HTTP 503" out of the fault of a web hook, or the beginning of another fault. */
const shortFault = (description: string): string => {
  const fault = /HTTP \d{3}/.exec(description)?.[0] ?? description;
  return fault.length > MAX_FAULT ? `${fault.slice(0, MAX_FAULT)}…` : fault;
};
