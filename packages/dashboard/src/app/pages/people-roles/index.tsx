import { isAdmin } from "../../data/calls/session.ts";
import { listed } from "../../data/records/lists.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import {
  enabledField,
  idField,
  nameColumn,
  notesColumn,
  notesField,
  textColumn,
  titleField,
} from "../definitions/columns.tsx";
import { UseList } from "../definitions/editor/one.tsx";
import { pageOf } from "../definitions/index.tsx";
import { callsOf, needsOf, type PartProps, type Use } from "../definitions/kind.ts";
import { limitFields, Sections, useApiKeys, useUsers } from "../people/holders.tsx";
import { mayText } from "../people/may.tsx";
import { t } from "../people/texts.ts";

/** Accounts and keys that have the role. Only administrators may list them. */
function Holders({ row: { id } }: PartProps) {
  const holds = ({ roles }: Readonly<Record<string, unknown>>): boolean => Array.isArray(roles) && roles.includes(id);
  const users = (useUsers() ?? []).filter(holds);
  const keys = (useApiKeys() ?? []).filter(holds);
  const uses: readonly Use[] = [
    ...users.map((user): Use => ({ icon: "user", title: user.title, href: `/people/${user.id}` })),
    ...keys.map((key): Use => ({ icon: "key", title: key.title, href: `/people/keys/${key.id}` })),
  ];
  if (!isAdmin()) return null;
  return (
    <Panel title={t("holders")} count={uses.length}>
      {uses.length === 0 ? <p class="dim sm inner">{t("noHolders")}</p> : <UseList uses={uses} />}
    </Panel>
  );
}

export const Page = pageOf({
  path: "/people/roles",
  icon: "people",
  texts: () => ({ title: t("roles"), create: t("createRole"), empty: t("noRoles") }),
  removal: () => t("roleRemoval"),
  useRows: () => listed("roles"),
  needs: needsOf("roles"),
  columns: [
    nameColumn("/people/roles"),
    notesColumn,
    textColumn("may", () => t("may"), mayText, { width: "10rem", rank: undefined }),
  ],
  fields: [titleField, idField, enabledField, ...limitFields, notesField],
  draft: () => ({ title: "", enabled: true, privileges: {}, categories: [], groups: [] }),
  ...callsOf("Role", "role"),
  history: { type: "roles", member: "role" },
  Above: Sections,
  Uses: Holders,
});
