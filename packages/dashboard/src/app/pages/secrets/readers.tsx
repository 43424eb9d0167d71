import { listed, titleOf } from "../../data/records/lists.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { UseList } from "../definitions/editor/one.tsx";
import type { Definition, PartProps, Use } from "../definitions/kind.ts";
import { t } from "./texts.ts";

const idsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** Everything that receives the secret's values: directly, through its category, or through its plugin. */
export function readersOf(secret: Definition): readonly Use[] {
  const events = idsOf(secret["events"]);
  const categories = idsOf(secret["categories"]);
  const plugins = idsOf(secret["plugins"]);
  const named = events.map(
    (id): Use => ({ icon: "cal", title: titleOf("events", id), href: `/events/${id}`, note: t("itself") }),
  );
  const through = (listed("events") ?? []).flatMap(({ id, title, category, plugin }): readonly Use[] => {
    if (events.includes(id)) return [];
    const note = categories.includes(category)
      ? t("byCategory", { name: titleOf("categories", category) })
      : plugin && plugins.includes(plugin)
        ? t("byPlugin", { name: titleOf("plugins", plugin) })
        : undefined;
    return note ? [{ icon: "cal", title, href: `/events/${id}`, note }] : [];
  });
  const others = [
    ...plugins.map(
      (id): Use => ({ icon: "plug", title: titleOf("plugins", id), href: `/plugins/${id}`, note: t("plugin") }),
    ),
    ...idsOf(secret["web_hooks"]).map(
      (id): Use => ({ icon: "link", title: titleOf("web_hooks", id), href: `/web-hooks/${id}`, note: t("webHook") }),
    ),
    ...idsOf(secret["checks"]).map(
      (id): Use => ({ icon: "pulse", title: titleOf("checks", id), href: `/checks/${id}`, note: t("check") }),
    ),
  ];
  return [...named, ...through, ...others];
}

/** Lists who and what may read the secret. */
export function Readers({ row, values }: PartProps) {
  const readers = readersOf({ ...row, ...values } as Definition);
  return (
    <Panel title={t("readers")} count={readers.length}>
      {!values["enabled"] && <p class="sm inner">{t("isOff")}</p>}
      {readers.length === 0 ? <p class="dim sm inner">{t("noReaders")}</p> : <UseList uses={readers} />}
      <p class="dim xs inner">{t("people")}</p>
    </Panel>
  );
}
