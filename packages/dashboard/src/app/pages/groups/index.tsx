import { useState } from "preact/hooks";
import { can } from "../../data/calls/session.ts";
import { callingIn } from "../../data/records/counts.ts";
import { listed } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Mark, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { NoneInReach, Outline } from "../../parts/basic/states.tsx";
import { type Column, sorted, Table } from "../../parts/lists/table.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { firingState, worstOf } from "../alerts/state.ts";
import { GroupForm } from "./form.tsx";
import { t } from "./texts.ts";

type Group = NonNullable<ReturnType<typeof listed<"groups">>>[number];

const membersOf = (id: string) => (listed("servers") ?? []).filter(({ groups }) => groups.includes(id));

const firingIn = (id: string): number => callingIn(id).length;

const Count = ({ id }: { readonly id: string }) => <>{membersOf(id).length}</>;

const Fires = ({ id }: { readonly id: string }) => {
  const count = firingIn(id);
  return count > 0 ? <b>{count}</b> : <span class="dimmer">–</span>;
};

const State = ({ id }: { readonly id: string }) => {
  const worst = worstOf(callingIn(id));
  return <Mark state={worst ? firingState(worst) : "ok"} label={t(worst ? "fires" : "calm")} />;
};

const columns: readonly Column<Group>[] = [
  {
    key: "title",
    title: () => t("group"),
    sort: "title",
    cell: ({ id, title }) => (
      <span class="cell">
        <State id={id} />
        <a class="whole cut" href={href(`/groups/${id}`)} dir="auto">
          <b>{title}</b>
        </a>
      </span>
    ),
  },
  {
    key: "match",
    title: () => t("match"),
    width: "30%",
    rank: 3,
    cell: ({ hostname_match }) => <code class="mono cut dim">{hostname_match || "–"}</code>,
  },
  { key: "servers", title: () => t("online"), width: "7rem", isNumber: true, cell: ({ id }) => <Count id={id} /> },
  { key: "fires", title: () => t("alerts"), width: "6rem", isNumber: true, cell: ({ id }) => <Fires id={id} /> },
  {
    key: "most",
    title: () => t("maxJobs"),
    width: "9rem",
    rank: 2,
    isNumber: true,
    cell: ({ max_jobs_per_server: most }) => <span class="dim">{most ? String(most) : t("unbounded")}</span>,
  },
];

/** All groups of servers. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const groups = listed("groups");
  const { sort } = place.value.query;
  const [isNew, setNew] = useState(false);
  const calling = (groups ?? []).filter(({ id }) => firingIn(id) > 0).length;
  return (
    <>
      <Head
        title={!groups ? t("title") : calling > 0 ? t("someFire", { n: calling }) : t("allCalm", { n: groups.length })}
        actions={
          can("create_groups") && (
            <Button kind="primary" icon="plus" onClick={() => setNew(true)}>
              {t("create")}
            </Button>
          )
        }
      />
      <Panel title={t("all")} count={groups?.length}>
        {!groups ? (
          <Outline rows={5} />
        ) : groups.length === 0 ? (
          <NoneInReach>{t("none")}</NoneInReach>
        ) : (
          <Table
            label={t("all")}
            columns={columns}
            sort={sort}
            keyOf={({ id }: Group) => id}
            rows={sorted(groups, sort, { title: ({ title }) => title })}
            onSort={(next) => setQuery({ sort: next })}
          />
        )}
      </Panel>
      {isNew && <GroupForm group={undefined} onClose={() => setNew(false)} />}
    </>
  );
}
