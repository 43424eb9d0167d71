import type { NoticeHold, Receiver, Side } from "../../model.ts";

/** Maximum people of a rota to store with a problem. */
const MAX_PERSONS = 50;

/** The people who were notified while on duty; the person on duty now becomes the last one. */
export function withPerson({ duty = [] }: Pick<Side, "duty">, person: string | undefined): Pick<Side, "duty"> {
  if (person === undefined) return {};
  return { duty: [...duty.filter((name) => name !== person), person].slice(-MAX_PERSONS) };
}

/** The hold of an unreachable receiver: it is disabled or gone, or a rota for which none of these people is there. */
export function absenceOf(
  id: string,
  receiver: Pick<Receiver, "enabled" | "title" | "type"> | undefined,
  persons: readonly (string | undefined)[],
): NoticeHold | undefined {
  const isStaffed = receiver?.type !== "rota" || persons.some((person) => person !== undefined);
  return receiver?.enabled && isStaffed ? undefined : { kind: "receiver", id, title: receiver?.title ?? "" };
}
