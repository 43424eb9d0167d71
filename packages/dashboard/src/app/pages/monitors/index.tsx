import { can } from "../../data/calls/session.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Mark, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Empty, Outline } from "../../parts/basic/states.tsx";
import { type Column, sorted, Table } from "../../parts/lists/table.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { list } from "../../texts/format.ts";
import { MonitorForm } from "./form.tsx";
import { t } from "./texts.ts";

type Monitor = NonNullable<ReturnType<typeof listed<"monitors">>>[number];

const columns: readonly Column<Monitor>[] = [
  {
    key: "title",
    title: () => t("monitor"),
    sort: "title",
    width: "26%",
    cell: ({ id, title, enabled }) => (
      <span class="cell">
        <Mark state={enabled ? "ok" : "abort"} label={enabled ? t("on") : t("off")} />
        <a class="whole cut" href={href("/monitors", { edit: id })} dir="auto">
          <b>{title}</b>
        </a>
      </span>
    ),
  },
  { key: "source", title: () => t("source"), rank: 3, cell: ({ source }) => <code class="mono cut">{source}</code> },
  {
    key: "type",
    title: () => t("type"),
    width: "8rem",
    rank: 3,
    cell: ({ data_type: type }) => <span class="dim">{type}</span>,
  },
  {
    key: "kind",
    title: () => t("kind"),
    width: "10rem",
    rank: 2,
    cell: ({ delta, divide_by_delta: perSecond }) => (
      <span class="dim">{delta ? t(perSecond ? "rate" : "change") : t("value")}</span>
    ),
  },
  {
    key: "groups",
    title: () => t("scope"),
    width: "10rem",
    rank: 2,
    cell: ({ groups }) => (
      <span class="dim cut">{groups?.length ? list(groups.map((id) => titleOf("groups", id))) : t("everywhere")}</span>
    ),
  },
];

const keyOf = ({ id }: Monitor): string => id;

/** Definitions of the values that are read from each minute of a server. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const monitors = listed("monitors");
  const { sort, edit } = place.value.query;
  const chosen = monitors?.find(({ id }) => id === edit);
  const on = monitors?.filter(({ enabled }) => enabled).length ?? 0;
  return (
    <>
      <Head
        title={monitors ? t("reading", { n: on }) : t("title")}
        actions={
          can("create_monitors") && (
            <Button kind="primary" icon="plus" onClick={() => setQuery({ edit: "new" })}>
              {t("create")}
            </Button>
          )
        }
      />
      <Panel title={t("all")} count={monitors?.length}>
        {!monitors ? (
          <Outline rows={8} />
        ) : monitors.length === 0 ? (
          <Empty>{t("none")}</Empty>
        ) : (
          <Table
            label={t("all")}
            columns={columns}
            sort={sort}
            keyOf={keyOf}
            rows={sorted(monitors, sort, { title: ({ title }) => title })}
            onSort={(next) => setQuery({ sort: next })}
          />
        )}
      </Panel>
      {(chosen || (edit === "new" && can("create_monitors"))) && (
        <MonitorForm key={edit} monitor={chosen} onClose={() => setQuery({ edit: undefined })} />
      )}
    </>
  );
}
