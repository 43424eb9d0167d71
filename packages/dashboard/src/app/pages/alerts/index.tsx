import { can } from "../../data/calls/session.ts";
import { firing, type Invocation } from "../../data/records/counts.ts";
import { titleOf } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Tabs } from "../../parts/basic/basic.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href, place } from "../../router/router.ts";
import { Detail } from "../alert/detail.tsx";
import type { PageProps } from "../page.ts";
import { tagsOf, useSilences } from "../silences/data.ts";
import { List } from "./list.tsx";
import { alertState, isIn, type Quiet, VIEWS, type View } from "./state.ts";
import { t } from "./texts.ts";

/** The list of alerts beside the detail that explains one. */
export function Page({ params: { id } }: PageProps) {
  const silences = useSilences();
  const quiet: readonly Quiet[] = silences.data.value?.rows ?? [];
  const rows = firing.value;
  const stateOf = (row: Invocation) => alertState(row, quiet, tagsOf(row.alert));
  const asked = place.value.query["show"] as View | undefined;
  const view = asked && VIEWS.includes(asked) ? asked : "open";
  const countOf = (each: View) => rows.filter((row) => isIn(each, stateOf(row))).length;
  const [open, calling] = [countOf("open"), countOf("firing")];
  const chosen = rows.find((row) => row.id === id);
  useCrumbs(
    id
      ? [{ title: t("title"), href: href("/alerts") }, { title: titleOf("alerts", chosen?.alert) || id }]
      : [{ title: t("title") }],
  );
  const sentence = calling > 0 ? t("firingNow", { n: calling }) : open > 0 ? t("allTaken", { n: open }) : t("none");
  return (
    <>
      <Head title={sentence} actions={<Links />} />
      <div class="stack">
        <Tabs
          label={t("views")}
          items={VIEWS.map((each) => ({
            href: href("/alerts", { ...place.value.query, show: each === "open" ? undefined : each }),
            title: t(each),
            count: each === "past" ? undefined : countOf(each),
            isCurrent: each === view,
          }))}
        />
        <div class={id ? "split open" : "split lone"}>
          <List key={view} view={view} open={rows} stateOf={stateOf} current={id} />
          {id && <Detail key={id} id={id} silences={silences} />}
        </div>
      </div>
    </>
  );
}

const Links = () => (
  <>
    <a class="btn" href={href("/alerts/silences")}>
      <Icon name="hush" />
      {t("silences")}
    </a>
    {can("create_alerts") && hasPage("/alert-rules/new") && (
      <a class="btn" href={href("/alert-rules/new")}>
        <Icon name="plus" />
        {t("create")}
      </a>
    )}
  </>
);
