import { useEffect } from "preact/hooks";
import { can } from "../../data/calls/session.ts";
import { schedulerIsOn, switchScheduler, useGlobalState } from "../../data/global-state.ts";
import { lastRuns, useLastRuns } from "../../data/jobs/last-runs.ts";
import { refreshNextRuns } from "../../data/jobs/next-runs.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Mark, Panel } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { Empty, NoneInReach, Outline } from "../../parts/basic/states.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { FilterBar, type FilterField } from "../../parts/query/filter-bar.tsx";
import { isByClock } from "../../parts/schedule/words.ts";
import { href, place, setQuery } from "../../router/router.ts";
import { list, now } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import type { Event } from "./deeds.ts";
import { fits } from "./filter.ts";
import { columns, inOrder, isFailing, running } from "./rows.tsx";
import { t } from "./texts.ts";

/** All events, with the results of their last runs and the times of their next. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  useGlobalState();
  const events = listed("events");
  useRuns(events ?? []);
  return (
    <>
      <Head title={t("title")} actions={<Actions />} />
      <div class="stack">
        {events && events.length > 0 && <Summary events={events} />}
        <Panel title={t("table")} count={events?.length}>
          <List events={events} />
        </Panel>
      </div>
    </>
  );
}

/** Keeps the last and next runs of the events up to date. */
function useRuns(events: readonly Event[]): void {
  const planned = events.filter(({ enabled, triggers }) => enabled && triggers?.some(isByClock));
  const ignore = (): void => {
    // The banner reports a lost connection; the old rows stay until the next refresh.
  };
  const world = String(schedulerIsOn.value);
  const minute = Math.floor(now.value / 60);
  const known = planned.map(({ id, modified }) => `${id} ${modified}`).join();
  useLastRuns(events.map(({ id }) => id));
  useEffect(() => void refreshNextRuns(planned, world).catch(ignore), [known, world, minute]);
}

function Actions() {
  const isOn = schedulerIsOn.value;
  const flip = () => switchScheduler(!isOn, t(isOn ? "isPaused" : "isResumed"));
  return (
    <>
      <Action needs="admin" deed="scheduler" icon={isOn ? "pause" : "play"} run={flip}>
        {t(isOn ? "pause" : "resume")}
      </Action>
      {can("create_events") && (
        <a class="btn primary" href={href("/events/new")}>
          <Icon name="plus" />
          {t("create")}
        </a>
      )}
    </>
  );
}

/** Counts of events in a sentence. */
function Summary({ events }: { readonly events: readonly Event[] }) {
  const on = events.filter(({ enabled }) => enabled);
  const failing = on.filter(({ id }) => isFailing(id));
  if (!schedulerIsOn.value) return <Said state="warn">{t("paused")}</Said>;
  if (!lastRuns.value) return null;
  if (failing.length === 0) return <Said state="ok">{t("allWell", { n: on.length })}</Said>;
  const names = list(failing.slice(0, 4).map(({ title }) => title));
  return (
    <Said state="fail">
      <a href={href("/events", { q: "is:failed" })}>{t("failing", { n: failing.length, names })}</a>
    </Said>
  );
}

const Said = ({
  state,
  children,
}: {
  readonly state: "ok" | "fail" | "warn";
  readonly children: preact.ComponentChildren;
}) => (
  <p class="standing" role="status">
    <Mark state={state} />
    <span dir="auto">{children}</span>
  </p>
);

const named = (name: "categories" | "tags" | "plugins" | "servers" | "groups") =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));

const fields = (): Readonly<Record<string, FilterField>> => ({
  category: { title: t("field.category"), values: () => named("categories") },
  tag: { title: t("field.tag"), values: () => named("tags") },
  plugin: { title: t("field.plugin"), values: () => named("plugins") },
  server: { title: t("field.server"), values: () => [...named("groups"), ...named("servers")] },
  is: {
    title: t("field.is"),
    values: () =>
      (["on", "off", "failed", "running", "workflow"] as const).map((value) => ({ value, title: t(`is.${value}`) })),
  },
});

function List({ events }: { readonly events: readonly Event[] | undefined }) {
  const { q = "", sort } = place.value.query;
  if (!events) return <Outline rows={10} />;
  if (events.length === 0) return <NoneInReach>{t("none")}</NoneInReach>;
  const isRunning = running.value;
  const fitting = events.filter((event) =>
    fits(event, q, { isFailing: isFailing(event.id), isRunning: isRunning.has(event.id) }),
  );
  return (
    <>
      <FilterBar
        label={t("filter")}
        query={q}
        onQuery={(query) => setQuery({ q: query })}
        fields={fields()}
        placeholder={t("placeholder")}
      />
      {fitting.length === 0 ? (
        <Empty action={<Button onClick={() => setQuery({ q: undefined })}>{frame("clearFilters")}</Button>}>
          {t("noMatch")}
        </Empty>
      ) : (
        <Table
          label={t("table")}
          columns={columns}
          rows={inOrder(fitting, sort)}
          keyOf={({ id }) => id}
          question={`${q} ${sort}`}
          sort={sort ?? "title"}
          onSort={(next) => setQuery({ sort: next })}
        />
      )}
    </>
  );
}
