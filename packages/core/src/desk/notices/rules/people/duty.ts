import type { NoticeHold, Receiver, Side } from "../../model.ts";

/** Persons of a rota that are kept with a problem. */
const MAX_PERSONS = 50;

/** The persons who were told while on duty, with the person who is told now as the last one. */
export function withPerson({ duty = [] }: Pick<Side, "duty">, person: string | undefined): Pick<Side, "duty"> {
  if (person === undefined) return {};
  return { duty: [...duty.filter((name) => name !== person), person].slice(-MAX_PERSONS) };
}

/** The hold of a receiver that cannot be reached: it is disabled or gone, or a rota to which none of these persons belongs. */
export function absenceOf(
  id: string,
  receiver: Pick<Receiver, "enabled" | "title" | "type"> | undefined,
  persons: readonly (string | undefined)[],
): NoticeHold | undefined {
  const isStaffed = receiver?.type !== "rota" || persons.some((person) => person !== undefined);
  return receiver?.enabled && isStaffed ? undefined : { kind: "receiver", id, title: receiver?.title ?? "" };
}
