import { useEffect } from "preact/hooks";
import { type Loaded, useLoad } from "../../data/calls/load.ts";
import { readAll } from "../../data/calls/read-all.ts";
import { api, isAdmin } from "../../data/calls/session.ts";
import { useLive } from "../../data/live.ts";
import { type ListName, listed, titleOf } from "../../data/records/lists.ts";
import { Tabs } from "../../parts/basic/basic.tsx";
import { href, place } from "../../router/router.ts";
import type { Definition, DefinitionField } from "../definitions/kind.ts";
import { Privileges } from "./privileges.tsx";
import { t } from "./texts.ts";

/** Maximum number of accounts in one answer. */
const AT_ONCE = 1000;

function useKept(
  name: "users" | "api_keys",
  ask: () => Promise<readonly Definition[]>,
): readonly Definition[] | undefined {
  const found: Loaded<readonly Definition[]> = useLoad(name, ask);
  useLive("single", ({ list }: { readonly list: string }) => {
    if (list === name) void found.reload();
  });
  useLive("back", () => void found.reload());
  const error = found.error.value;
  useEffect(() => {
    if (error) console.error(error);
  }, [error]);
  // A viewer who may not list them gets an empty list.
  return found.data.value ?? (error ? [] : undefined);
}

/** All accounts, kept up to date. For administrators. */
export const useUsers = (): readonly Definition[] | undefined =>
  useKept("users", async () => {
    if (!isAdmin()) return [];
    const rows = await readAll((offset) => api.userAdminGetUsers({ offset, limit: AT_ONCE }));
    return rows.map((user) => ({
      ...user,
      id: user.username,
      title: user.full_name || user.username,
      enabled: user.active,
    }));
  });

/** All API keys, kept up to date. For administrators. */
export const useApiKeys = (): readonly Definition[] | undefined =>
  useKept("api_keys", async () => {
    if (!isAdmin()) return [];
    const { rows } = await api.getApiKeys({});
    return rows.map((key) => ({ ...key, enabled: key.active }));
  });

const choicesOf = (name: ListName) => () =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));

/** Fields that accounts, keys and roles share: privileges and reach. */
export const limitFields: readonly DefinitionField[] = [
  { member: "privileges", label: () => t("privileges"), kind: "own", Control: Privileges },
  {
    member: "categories",
    label: () => t("categories"),
    help: () => t("limitHelp"),
    kind: "picks",
    choices: choicesOf("categories"),
  },
  {
    member: "groups",
    label: () => t("groups"),
    help: () => t("limitHelp"),
    kind: "picks",
    choices: choicesOf("groups"),
  },
];
export const rolesField: DefinitionField = {
  member: "roles",
  kind: "picks",
  label: () => t("roles"),
  help: () => t("rolesHelp"),
  choices: choicesOf("roles"),
};
export const activeField: DefinitionField = { member: "active", label: () => t("active"), kind: "check" };

const SECTIONS = [
  ["/people", "users"],
  ["/people/roles", "roles"],
  ["/people/keys", "keys"],
] as const;

/** Tabs between accounts, roles and keys, which share one page. */
export const Sections = () => (
  <Tabs
    label={t("sections")}
    items={SECTIONS.filter(([, name]) => name === "roles" || isAdmin()).map(([path, name]) => ({
      href: href(path),
      title: t(name),
      isCurrent: place.value.path === path,
    }))}
  />
);
