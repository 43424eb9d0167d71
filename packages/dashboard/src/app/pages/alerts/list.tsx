import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { useKeys } from "../../data/keys.ts";
import { useLive } from "../../data/live.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { subjectOf, subjectTitle } from "../../data/records/subjects.ts";
import { Mark, type StateName } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { NewRows, useCalm } from "../../parts/calm/index.tsx";
import { AllMatching } from "../../parts/lists/all-matching.tsx";
import { LoadMore } from "../../parts/lists/load-more.tsx";
import { createSelection, type Selection } from "../../parts/lists/selection.tsx";
import { FilterBar, type FilterField } from "../../parts/query/filter-bar.tsx";
import { isMeant, termsOf } from "../../parts/query/terms.ts";
import { Age } from "../../parts/time.tsx";
import { pathTo } from "../../router/match.ts";
import { go, href, place, setQuery } from "../../router/router.ts";
import { duration } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { Bulk } from "./bulk.tsx";
import { isIn, severityState, type View } from "./state.ts";
import { t } from "./texts.ts";
import { tookWords } from "./words.ts";

const PAGE = 50;

interface ListProps {
  readonly view: View;
  /** Invocations that have not cleared. */
  readonly open: readonly Invocation[];
  readonly stateOf: (row: Invocation) => StateName;
  readonly current: string | undefined;
}

const valuesOf = (name: "alerts" | "servers" | "events" | "groups") => () =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));

const fields = (): Readonly<Record<string, FilterField>> => ({
  alert: { title: t("rule"), values: valuesOf("alerts") },
  server: { title: t("server"), values: valuesOf("servers") },
  event: { title: t("event"), values: valuesOf("events") },
  groups: { title: t("group"), values: valuesOf("groups") },
});

/** True if a live invocation matches the chips and words of the filter. The server filters past ones. */
function fits(row: Invocation, query: string): boolean {
  return termsOf(query).every((term) => {
    const { field, value } = term;
    if (field === "alert") return isMeant(term, (one) => row.alert === one);
    const { type, id } = subjectOf(row);
    if (field === "server" || field === "event") return isMeant(term, (one) => type === field && id === one);
    if (field === "groups") return isMeant(term, (one) => row.groups.includes(one));
    const text = `${titleOf("alerts", row.alert)} ${subjectTitle(row)} ${row.message}`;
    return text.toLowerCase().includes(value.toLowerCase());
  });
}

export function List(props: ListProps) {
  const query = place.value.query["q"] ?? "";
  const selection = useMemo(createSelection, []);
  const part = { ...props, query, selection };
  return (
    <section class="panel" aria-label={t("list")}>
      <FilterBar
        label={t("filter")}
        query={query}
        onQuery={(q) => setQuery({ q })}
        fields={fields()}
        placeholder={t("placeholder")}
      />
      {props.view === "past" ? <Past {...part} /> : <Live {...part} />}
      <Bulk selection={selection} />
    </section>
  );
}

interface PartProps extends ListProps {
  readonly query: string;
  readonly selection: Selection;
}

function Live({ open, view, stateOf, query, current, selection }: PartProps) {
  const ofView = open.filter((row) => isIn(view, stateOf(row)));
  return (
    <Rows
      rows={ofView.filter((row) => fits(row, query))}
      isFiltered={ofView.length > 0}
      view={view}
      stateOf={stateOf}
      current={current}
      selection={selection}
      question={`${view} ${query}`}
    />
  );
}

const EXPORTED = ["id", "alert", "server", "date", "modified", "message", "acknowledged"];
const removal = { needs: "admin", remove: (query: string) => api.bulkSearchDelete({ index: "alerts", query }) };

function Past({ view, stateOf, query, current, selection }: PartProps) {
  const limit = useSignal(PAGE);
  const asked = `active:false ${query}`.trim();
  const found = useLoad(
    `alerts ${asked} ${limit.value}`,
    (signal) => api.searchAlerts({ query: asked, limit: limit.value }, { signal }),
    asked,
  );
  useLive("update", (lists: Record<string, unknown>) => {
    if ("activeAlerts" in lists) void found.reload();
  });
  return (
    <WhenLoaded of={found} rows={8}>
      {({ rows, list }) => (
        <>
          <Rows
            rows={rows}
            isFiltered={query !== ""}
            view={view}
            stateOf={stateOf}
            current={current}
            selection={selection}
            question={`${asked} ${limit.value}`}
          />
          {list.length > 0 && (
            <footer class="tail">
              <LoadMore limit={limit} step={PAGE} shown={rows.length} all={list.length} />
              <span class="dim xs">{frame("ofAll", { shown: rows.length, all: list.length })}</span>
              <span class="grow" />
              <AllMatching index="alerts" query={asked} total={list.length} columns={EXPORTED} removal={removal} />
            </footer>
          )}
        </>
      )}
    </WhenLoaded>
  );
}

const EMPTY = {
  open: "emptyOpen",
  firing: "emptyFiring",
  acknowledged: "emptyAcknowledged",
  silenced: "emptySilenced",
  past: "emptyPast",
} as const;

interface RowsProps extends Pick<PartProps, "view" | "stateOf" | "current" | "selection"> {
  readonly rows: readonly Invocation[];
  readonly question: string;
  /** The filter may be hiding rows. */
  readonly isFiltered: boolean;
}

const pathOf = (id: string): string => pathTo(`/alerts/${id}`, place.peek().query);

const keyOf = ({ id }: Invocation): string => id;

function Rows({ rows, isFiltered, view, stateOf, current, selection, question }: RowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const calm = useCalm(list, { rows, keyOf, question, selection });
  const mayChoose = can("acknowledge_alerts") || can("delete_alerts");
  const choose = (): void => {
    if (mayChoose && current !== undefined) selection.toggle(current, !selection.ids.peek().has(current));
  };
  const move = (by: number) => {
    const at = calm.rows.findIndex(({ id }) => id === current);
    const next = calm.rows[Math.max(0, Math.min(calm.rows.length - 1, at + by))];
    if (next) void go(pathOf(next.id), { replace: current !== undefined });
  };
  const [down, up] = [() => move(1), () => move(-1)];
  useKeys({ j: down, ArrowDown: down, "]": down, k: up, ArrowUp: up, "[": up, x: choose });
  if (rows.length === 0 && isFiltered)
    return (
      <Empty action={<Button onClick={() => setQuery({ q: undefined })}>{frame("clearFilters")}</Button>}>
        {frame("nothingFits")}
      </Empty>
    );
  if (rows.length === 0) return <Empty>{t(EMPTY[view])}</Empty>;
  return (
    <>
      <NewRows {...calm} />
      <ul class={mayChoose ? "rows chosen" : "rows"} ref={list}>
        {calm.rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            state={stateOf(row)}
            isCurrent={row.id === current}
            isGone={calm.gone.has(row.id)}
            {...(mayChoose ? { selection } : {})}
          />
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  readonly row: Invocation;
  readonly state: StateName;
  readonly isCurrent: boolean;
  readonly isGone: boolean;
  /** Absent where no action applies to several rows. */
  readonly selection?: Selection;
}

function Row({ row, state, isCurrent, isGone, selection }: RowProps) {
  const { id, date, message } = row;
  const server = subjectTitle(row);
  const name = titleOf("alerts", row.alert);
  return (
    <li aria-current={isCurrent || undefined} class={isGone ? "is-gone" : ""}>
      {selection && <selection.One id={id} name={t("title2", { rule: name, server })} />}
      <Mark
        state={state === "crit" ? severityState(row.severity) : state}
        {...(state === "gone" ? { label: t("wentSilent") } : {})}
      />
      <div class="what">
        <div class="cut">
          <a href={href(`/alerts/${id}`, place.value.query)}>
            <b dir="auto">{name}</b>
          </a>{" "}
          <span class="dim" dir="auto">
            {t("on", { server })}
          </span>
        </div>
        <div class="why cut" dir="auto" title={message}>
          {message}
        </div>
        <Note row={row} />
      </div>
      <div class="when">{row.active ? <Age at={date} /> : <Age at={row.modified} />}</div>
      <div class="acts">{row.active && <Quick row={row} name={t("title2", { rule: name, server })} />}</div>
    </li>
  );
}

function Note({ row: { acknowledged, untold, active, date, modified } }: { readonly row: Invocation }) {
  const text = acknowledged
    ? tookWords(acknowledged)
    : untold
      ? t("heldBack", { by: untold.by.title || untold.by.id })
      : active
        ? ""
        : t("over", { time: duration(modified - date) });
  return text ? (
    <div class="why xs cut dimmer" dir="auto">
      {text}
    </div>
  ) : null;
}

/** Acknowledges a firing with one press, and withdraws it with another. */
function Quick({ row: { id, acknowledged }, name }: { readonly row: Invocation; readonly name: string }) {
  const deed = `acknowledge ${id}`;
  const take = {
    run: () => api.acknowledgeAlertInvocation({ id }),
    undo: () => api.unacknowledgeAlertInvocation({ id }),
  };
  const back = { run: () => api.unacknowledgeAlertInvocation({ id }), done: t("takenBack", { name }) };
  const text = acknowledged ? t("takeBack") : t("acknowledge");
  return (
    <Action
      needs="acknowledge_alerts"
      deed={deed}
      kind="row"
      label={`${text}: ${name}`}
      run={() => (acknowledged ? act(deed, back) : act(deed, { ...take, done: t("acknowledgedDone", { name }) }))}
    >
      {text}
    </Action>
  );
}
