import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { act } from "../../data/act.ts";
import type { Invocation } from "../../data/counts.ts";
import { useKeys } from "../../data/keys.ts";
import { listed, titleOf } from "../../data/lists.ts";
import { useLive } from "../../data/live.ts";
import { useLoad } from "../../data/load.ts";
import { api } from "../../data/session.ts";
import { Mark, type StateName } from "../../parts/basic.tsx";
import { Action, Button } from "../../parts/button.tsx";
import { NewRows, useCalm } from "../../parts/calm/index.tsx";
import { FilterBar, type FilterField } from "../../parts/filter-bar.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { termsOf } from "../../parts/terms.ts";
import { Age } from "../../parts/time.tsx";
import { pathTo } from "../../router/match.ts";
import { go, href, place, setQuery } from "../../router/router.ts";
import { duration } from "../../texts/format.ts";
import { t as frame } from "../../texts/frame.ts";
import { isIn, type View } from "./state.ts";
import { t } from "./texts.ts";

const PAGE = 50;

interface ListProps {
  readonly view: View;
  /** Invocations that have not cleared. */
  readonly open: readonly Invocation[];
  readonly stateOf: (row: Invocation) => StateName;
  readonly current: string | undefined;
}

const valuesOf = (name: "alerts" | "servers" | "groups") => () =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));

const fields = (): Readonly<Record<string, FilterField>> => ({
  alert: { title: t("rule"), values: valuesOf("alerts") },
  server: { title: t("server"), values: valuesOf("servers") },
  groups: { title: t("group"), values: valuesOf("groups") },
});

/** Whether a live invocation fits the chips and words of the filter; the server answers for past ones. */
function fits(row: Invocation, query: string): boolean {
  return termsOf(query).every(({ field, value }) => {
    if (field === "alert" || field === "server") return row[field] === value;
    if (field === "groups") return row.groups.includes(value);
    const text = `${titleOf("alerts", row.alert)} ${titleOf("servers", row.server)} ${row.message}`;
    return text.toLowerCase().includes(value.toLowerCase());
  });
}

export function List(props: ListProps) {
  const query = place.value.query["q"] ?? "";
  return (
    <section class="panel" aria-label={t("list")}>
      <FilterBar
        label={t("filter")}
        query={query}
        onQuery={(q) => setQuery({ q })}
        fields={fields()}
        placeholder={t("placeholder")}
      />
      {props.view === "past" ? <Past {...props} query={query} /> : <Live {...props} query={query} />}
    </section>
  );
}

interface PartProps extends ListProps {
  readonly query: string;
}

function Live({ open, view, stateOf, query, current }: PartProps) {
  const ofView = open.filter((row) => isIn(view, stateOf(row)));
  return (
    <Rows
      rows={ofView.filter((row) => fits(row, query))}
      isFiltered={ofView.length > 0}
      {...{ view, stateOf, current, question: `${view} ${query}` }}
    />
  );
}

function Past({ view, stateOf, query, current }: PartProps) {
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
          <Rows {...{ rows, isFiltered: query !== "", view, stateOf, current, question: `${asked} ${limit.value}` }} />
          {list.length > rows.length && (
            <footer class="tail">
              <Button
                onClick={() => {
                  limit.value += PAGE;
                }}
              >
                {frame("loadMore", { n: Math.min(PAGE, list.length - rows.length) })}
              </Button>
              <span class="dim xs">{frame("ofAll", { shown: rows.length, all: list.length })}</span>
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

interface RowsProps extends Pick<ListProps, "view" | "stateOf" | "current"> {
  readonly rows: readonly Invocation[];
  readonly question: string;
  /** Rows may be missing because of the filter. */
  readonly isFiltered: boolean;
}

const pathOf = (id: string): string => pathTo(`/alerts/${id}`, place.peek().query);

const keyOf = ({ id }: Invocation): string => id;

function Rows({ rows, isFiltered, view, stateOf, current, question }: RowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const calm = useCalm(list, { rows, keyOf, question });
  const move = (by: number) => {
    const at = calm.rows.findIndex(({ id }) => id === current);
    const next = calm.rows[Math.max(0, Math.min(calm.rows.length - 1, at + by))];
    if (next) void go(pathOf(next.id), { replace: current !== undefined });
  };
  const [down, up] = [() => move(1), () => move(-1)];
  useKeys({ j: down, ArrowDown: down, "]": down, k: up, ArrowUp: up, "[": up });
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
      <ul class="rows" ref={list}>
        {calm.rows.map((row) => (
          <Row
            key={row.id}
            {...{ row, state: stateOf(row), isCurrent: row.id === current, isGone: calm.gone.has(row.id) }}
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
}

function Row({ row, state, isCurrent, isGone }: RowProps) {
  const { id, date, message } = row;
  const server = titleOf("servers", row.server);
  const name = titleOf("alerts", row.alert);
  return (
    <li aria-current={isCurrent || undefined} class={isGone ? "is-gone" : ""}>
      <Mark state={state} {...(state === "gone" ? { label: t("wentSilent") } : {})} />
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
    ? acknowledged.comment
      ? t("tookWhy", { name: acknowledged.username, comment: acknowledged.comment })
      : t("took", { name: acknowledged.username })
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

/** Taken over with one press, and given back with one. */
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
      {...{ needs: "acknowledge_alerts", deed, kind: "row", label: `${text}: ${name}` }}
      run={() => (acknowledged ? act(deed, back) : act(deed, { ...take, done: t("acknowledgedDone", { name }) }))}
    >
      {text}
    </Action>
  );
}
