import { listed, titleOf } from "../../data/records/lists.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { list } from "../../texts/format.ts";
import type { PartProps, Values } from "../definitions/kind.ts";
import { privilegeName } from "./privileges.tsx";
import { type Rights, type RoleRights, rightsOf, type Way } from "./rights.ts";
import { t } from "./texts.ts";

const said = (ways: readonly Way[]): string =>
  list(ways.map(({ role }) => (role === undefined ? t("itself") : t("throughRole", { name: role }))));

/** Lists what a holder may do, and which role grants it. */
export function May({ values }: Pick<PartProps, "values">) {
  const rights = rightsOf(values as Parameters<typeof rightsOf>[0], (listed("roles") ?? []) as readonly RoleRights[]);
  const admin = rights.privileges.get("admin");
  const names = [...rights.privileges].filter(([name]) => name !== "admin");
  return (
    <Panel title={t("mayTitle")} {...(admin ? {} : { count: names.length })}>
      {admin ? (
        <p class="inner sm">
          {t("isAdmin")} <span class="dim">({said(admin)})</span>
        </p>
      ) : names.length === 0 ? (
        <p class="inner sm dim">{t("mayNothing")}</p>
      ) : (
        <ul class="linked">
          {names.map(([name, ways]) => (
            <li key={name}>
              <span class="grow">
                {privilegeName(name)}
                <span class="dim xs sub">{said(ways)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {!values["enabled"] && <p class="inner sm">{t("isOff")}</p>}
      <Limits rights={rights} />
    </Panel>
  );
}

function Limits({ rights: { categories, groups } }: { readonly rights: Rights }) {
  const line = (names: Rights["categories"], kind: "categories" | "groups") =>
    names.size > 0 && (
      <p class="inner sm">
        {t(kind === "categories" ? "onlyCategories" : "onlyGroups", { n: names.size })}{" "}
        {list([...names].map(([id, ways]) => `${titleOf(kind, id)} (${said(ways)})`))}
      </p>
    );
  return (
    <>
      {line(categories, "categories")}
      {line(groups, "groups")}
      {categories.size + groups.size === 0 && <p class="inner sm dim">{t("unlimited")}</p>}
    </>
  );
}

/** Sums up a holder's rights for a list. */
export function mayText(holder: Values): string {
  const { privileges } = rightsOf(
    holder as Parameters<typeof rightsOf>[0],
    (listed("roles") ?? []) as readonly RoleRights[],
  );
  return privileges.has("admin") ? t("everything") : t("privilegeCount", { n: privileges.size });
}
