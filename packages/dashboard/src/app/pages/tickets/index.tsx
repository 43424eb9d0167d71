import { useEffect } from "preact/hooks";
import { type Loaded, useLoad } from "../../data/calls/load.ts";
import { api, can, viewer } from "../../data/calls/session.ts";
import { lookAt } from "../../data/live.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel, Tabs } from "../../parts/basic/basic.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { Segments } from "../../parts/forms/fields.tsx";
import { AllMatching } from "../../parts/lists/all-matching.tsx";
import { FilterBar } from "../../parts/query/filter-bar.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { list } from "../../texts/format.ts";
import { Board } from "./board.tsx";
import { TicketList } from "./list.tsx";
import { useTicketNews } from "./news.ts";
import { fields } from "./query/fields.ts";
import { effectiveQuery, viewsOf } from "./query/query.ts";
import { t } from "./texts.ts";

const countOf = async (query: string, signal: AbortSignal): Promise<number> =>
  (await api.searchTickets({ query, limit: 1, compact: true }, { signal })).list.length;

interface Counts {
  readonly active: number;
  readonly overdue: number;
  readonly mine: number;
}

/** Open tickets, and all tickets. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const views = viewsOf(viewer.value?.id ?? "");
  const counts = useLoad<Counts>("tickets counts", async (signal) => {
    const [active, overdue, mine] = await Promise.all([
      countOf("status:open|in_progress|on_hold", signal),
      countOf(views.overdue, signal),
      countOf(views.mine, signal),
    ]);
    return { active, overdue, mine };
  });
  useTicketNews(() => counts.reload());
  useEffect(() => {
    lookAt("Tickets");
    return () => lookAt("");
  }, []);
  return (
    <>
      <Head title={t("title")} note={sentence(counts.data.value)} actions={<Create />} />
      <Views views={views} counts={counts} />
      <Found />
    </>
  );
}

const Create = () =>
  can("create_tickets") ? (
    <a class="btn primary" href={href("/tickets/new")}>
      <Icon name="plus" />
      {t("create")}
    </a>
  ) : null;

function sentence(counts: Counts | undefined): string | undefined {
  if (!counts) return undefined;
  if (counts.active === 0) return t("none");
  const { overdue, mine } = counts;
  const parts = [t("waiting", { n: counts.active })];
  if (overdue > 0) parts.push(t("overdueCount", { n: overdue }));
  if (mine > 0) parts.push(t("mineCount", { n: mine }));
  return `${list(parts)}.`;
}

interface ViewsProps {
  readonly views: ReturnType<typeof viewsOf>;
  readonly counts: Loaded<Counts>;
}

function Views({ views, counts: { data } }: ViewsProps) {
  const { q = "", view } = place.value.query;
  const counts: Readonly<Record<string, number>> = { ...data.value };
  return (
    <Tabs
      label={t("views")}
      items={(Object.keys(views) as (keyof typeof views)[]).map((name) => ({
        href: href("/tickets", { q: views[name], view }),
        title: t(`view.${name}`),
        count: counts[name],
        isCurrent: q === views[name],
      }))}
    />
  );
}

const EXPORTED = ["num", "subject", "status", "type", "assignees", "username", "due", "created", "modified"];
const removal = { needs: "delete_tickets", remove: (query: string) => api.bulkSearchDeleteTickets({ query }) };

/** Actions on all tickets that match, shown or not. A board shows more states than the query. */
function All({ query }: { readonly query: string }) {
  const total = useLoad(`tickets total ${query}`, (signal) => countOf(query, signal));
  useTicketNews(() => total.reload());
  return (
    <AllMatching index="tickets" query={query} total={total.data.value ?? 0} columns={EXPORTED} removal={removal} />
  );
}

function Found() {
  const { q = "", view = "list" } = place.value.query;
  const choice = (
    <Segments
      label={t("show")}
      choices={[
        { value: "list", title: t("asList") },
        { value: "board", title: t("asBoard") },
      ]}
      value={view}
      onInput={(next) => setQuery({ view: next === "list" ? undefined : next }, { push: true })}
    />
  );
  return (
    <Panel
      title={t("found")}
      more={
        <>
          {choice}
          {view !== "board" && <All query={effectiveQuery(q)} />}
        </>
      }
    >
      <FilterBar
        label={t("filter")}
        query={q}
        onQuery={(next) => setQuery({ q: next })}
        fields={fields()}
        placeholder={t("placeholder")}
      />
      {view === "board" ? <Board query={q} /> : <TicketList query={q} />}
    </Panel>
  );
}
