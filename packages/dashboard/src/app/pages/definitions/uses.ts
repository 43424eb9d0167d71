import { type ListName, listed } from "../../data/records/lists.ts";
import type { IconName } from "../../parts/basic/icon.tsx";
import type { Use } from "./kind.ts";

/** Lists whose records refer to other records, in their own members or in their actions. */
const HOLDERS = {
  events: { path: "/events", icon: "cal" },
  alerts: { path: "/alert-rules", icon: "rule" },
  categories: { path: "/categories", icon: "stack" },
  channels: { path: "/channels", icon: "mail" },
  secrets: { path: "/secrets", icon: "key" },
  roles: { path: "/people/roles", icon: "people" },
} as const satisfies Partial<Record<ListName, { readonly path: string; readonly icon: IconName }>>;
type Holder = keyof typeof HOLDERS;

interface Named {
  readonly id: string;
  readonly title: string;
  readonly [member: string]: unknown;
}

const names = (value: unknown, id: string): boolean => value === id || (Array.isArray(value) && value.includes(id));

/** True if a record refers to an id in one of `members`, or an action of the record does. */
export function isNaming(record: Readonly<Record<string, unknown>>, id: string, members: readonly string[]): boolean {
  const actions = Array.isArray(record["actions"]) ? (record["actions"] as Readonly<Record<string, unknown>>[]) : [];
  return [record, ...actions].some((part) => members.some((member) => names(part[member], id)));
}

const useOf = (holder: Holder, { id, title }: Pick<Named, "id" | "title">): Use => ({
  icon: HOLDERS[holder].icon,
  title: title || id,
  href: `${HOLDERS[holder].path}/${id}`,
});

/** Records in some lists that refer to an id in one of `members`. Reads signals. */
export const usesOf = (id: string, members: readonly string[], holders: readonly Holder[]): readonly Use[] =>
  holders.flatMap((holder) =>
    ((listed(holder) ?? []) as readonly Named[])
      .filter((record) => isNaming(record, id, members))
      .map((record) => useOf(holder, record)),
  );
