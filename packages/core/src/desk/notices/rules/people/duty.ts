import type { Side } from "../../model.ts";

/** Persons of a rota that are kept with a problem. */
const MAX_PERSONS = 50;

/** The persons who were told while on duty, with the person who is told now as the last one. */
export function withPerson({ duty = [] }: Pick<Side, "duty">, person: string | undefined): Pick<Side, "duty"> {
  if (person === undefined) return {};
  return { duty: [...duty.filter((name) => name !== person), person].slice(-MAX_PERSONS) };
}
