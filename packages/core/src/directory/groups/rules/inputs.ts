import * as z from "zod";
import { actionList } from "../../../wire/entries/action-shape.ts";
import { flag, Id, Title } from "../../../wire/fields/fields.ts";
import { sentRevision } from "../../../wire/fields/revision.ts";
import { type NewStamp, newStamps } from "../../../wire/fields/stamps.ts";
import { itemsOf } from "../../../wire/items.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import type { Group } from "../model.ts";

const maxJobs = z.number().min(0);
/** Text like "+1", which adds to the stored number. */
const step = z.string().regex(/^[+-][\d.]+$/);

const members = () => ({
  icon: z.string().nullish(),
  alert_actions: actionList().nullish(),
  max_jobs_per_server: maxJobs.nullish(),
  ephemeral: flag().nullish(),
  notes: z.string().nullish(),
});

/**
 * Input schemas of the operations that write groups. `checkPattern` throws for a text that is not a usable regular expression.
 */
export function groupInputs(checkPattern: (pattern: string) => void) {
  const checked = (pattern: string): string => {
    checkPattern(pattern);
    return pattern;
  };
  // An empty pattern matches no server; a new group without any pattern would be a mistake.
  const required = z.string().regex(/\S/).transform(checked);
  const update = looseObject(() => ({
    if_revision: sentRevision,
    id: Id,
    title: Title.optional(),
    hostname_match: z.string().transform(checked).optional(),
    ...members(),
    max_jobs_per_server: z.union([maxJobs, step]).nullish(),
    sort_order: z.union([z.number(), step]).optional(),
  }));
  return {
    create: looseObject(() => ({ id: Id.optional(), title: Title, hostname_match: required, ...members() })),
    update,
    multiUpdate: looseObject(() => ({ items: itemsOf(update.extend(ofMany())) })),
  };
}

/** In a bulk update, patterns are checked only for known callers: compiling a thousand takes 50 ms. */
const ofMany = () => ({
  hostname_match: z.string().optional(),
  max_jobs_per_server: maxJobs.nullish(),
  sort_order: z.number().optional(),
});

/** False if a step led below zero, or had no number to add to. */
export const isMaxJobs = (value: unknown): boolean => maxJobs.nullish().safeParse(value).success;

type NewGroup = z.output<ReturnType<typeof groupInputs>["create"]>;

export function newGroup(
  input: NewGroup,
  { id, username, now, sortOrder }: NewStamp & { readonly sortOrder: number },
): Group {
  return {
    ...input,
    id,
    alert_actions: input.alert_actions ?? [],
    sort_order: sortOrder,
    ...newStamps(username, now),
  };
}
