import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { inTurns } from "../../data/calls/in-turns.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { personName } from "../../data/people/person-name.ts";
import { dueDay } from "../../data/records/due.ts";
import { Mark } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { Tail } from "../../parts/lists/load-more.tsx";
import { createSelection, forEachChosen, type Selection, SelectionBar } from "../../parts/lists/selection.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { TIME_WIDTH, Time } from "../../parts/time.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { list, now } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { changeMember, type Made } from "../ticket/attributes/change.ts";
import { useTicketNews } from "./news.ts";
import { effectiveQuery } from "./query/query.ts";
import { isOverdue, stateName, stateOf, statusName, type TicketRow, typeName } from "./query/values.ts";
import { t } from "./texts.ts";

const PAGE = 50;
type Answer = Awaited<ReturnType<typeof api.searchTickets>>;

/** The due date, highlighted with a title if it is past. */
export function Due({ ticket }: { readonly ticket: Pick<TicketRow, "status" | "due"> }) {
  if (!ticket.due) return null;
  const isLate = isOverdue(ticket, now.value);
  return (
    <span class={isLate ? "cut late num" : "cut dim num"} title={isLate ? stateName(ticket, now.value) : undefined}>
      {dueDay(ticket.due)}
    </span>
  );
}

const columns: readonly Column<TicketRow>[] = [
  {
    key: "num",
    title: () => t("number"),
    width: "3.5rem",
    rank: 3,
    sort: "num",
    cell: ({ num }) => <span class="dim num">#{num}</span>,
  },
  {
    key: "subject",
    title: () => t("subject"),
    cell: (ticket) => (
      <span class="cell">
        <Mark state={stateOf(ticket, now.value)} label={stateName(ticket, now.value)} />
        <a class="whole cut" href={href(`/tickets/${ticket.num}`)} dir="auto">
          <b>{ticket.subject}</b>
        </a>
      </span>
    ),
  },
  {
    key: "status",
    title: () => t("field.status"),
    rank: 2,
    width: "7.25rem",
    cell: (ticket) => <span class="dim">{statusName(ticket.status)}</span>,
  },
  {
    key: "type",
    title: () => t("type"),
    rank: 3,
    width: "5.75rem",
    cell: ({ type }) => <span class="dim">{typeName(type)}</span>,
  },
  {
    key: "assignees",
    title: () => t("assignees"),
    width: "14%",
    cell: ({ assignees }) => (
      <span class="dim cut" dir="auto" title={list(assignees.map(personName))}>
        {assignees.length > 0 ? list(assignees.map(personName)) : <span class="dimmer">{t("nobody")}</span>}
      </span>
    ),
  },
  {
    key: "due",
    title: () => t("due"),
    isNumber: true,
    rank: 3,
    width: "6rem",
    cell: (ticket) => <Due ticket={ticket} />,
  },
  {
    key: "modified",
    title: () => t("changed"),
    isNumber: true,
    width: TIME_WIDTH,
    rank: 3,
    sort: "modified",
    cell: ({ modified }) => <Time at={modified} />,
  },
];

/** Tickets for the query and sort order in the address. */
export function TicketList({ query }: { readonly query: string }) {
  const limit = useSignal(PAGE);
  const { sort = "-modified" } = place.value.query;
  const order = { sort_by: sort.replace(/^-/, ""), sort_dir: sort.startsWith("-") ? -1 : 1 } as const;
  const found = useLoad(
    `tickets ${query} ${sort} ${limit.value}`,
    (signal) =>
      api.searchTickets({ query: effectiveQuery(query), limit: limit.value, compact: true, ...order }, { signal }),
    `${query} ${sort}`,
  );
  useTicketNews(() => found.reload());
  const chosen = useMemo(createSelection, []);
  const selection = can("edit_tickets") || can("delete_tickets") ? chosen : undefined;
  return (
    <WhenLoaded of={found} rows={8}>
      {(answer) => (
        <>
          <Rows answer={answer} query={query} sort={sort} limit={limit} selection={selection} />
          {selection && <Bulk selection={selection} reload={found.reload} />}
        </>
      )}
    </WhenLoaded>
  );
}

interface RowsProps {
  readonly answer: Answer;
  readonly query: string;
  readonly sort: string;
  readonly limit: Signal<number>;
  /** Undefined for viewers who may do nothing with the selected tickets. */
  readonly selection: Selection | undefined;
}

function Rows({ answer: { rows, list: all }, query, sort, limit, selection }: RowsProps) {
  if (rows.length === 0 && query && query !== "*")
    return (
      <Empty action={<Button onClick={() => setQuery({ q: undefined })}>{frame("clearFilters")}</Button>}>
        {t("noMatch")}
      </Empty>
    );
  if (rows.length === 0) return <Empty>{t("empty")}</Empty>;
  return (
    <>
      <Table
        label={t("found")}
        columns={columns}
        rows={rows}
        sort={sort}
        {...(selection && { selection })}
        total={all.length}
        question={`${query} ${sort} ${limit.value}`}
        keyOf={({ id }) => id}
        nameOf={({ subject }) => subject}
        onSort={(next) => setQuery({ sort: next })}
      />
      <Tail limit={limit} step={PAGE} shown={rows.length} all={all.length} hasCount />
    </>
  );
}

interface BulkProps {
  readonly selection: Selection;
  readonly reload: () => Promise<void>;
}

/** Resolves the selected tickets. The undo restores the former status of each, even of tickets no longer in the list. */
async function resolveEach(selection: Selection): Promise<readonly Made[]> {
  const made: Made[] = [];
  await forEachChosen(selection, async (id) => {
    const { ticket } = await api.getTicket({ id });
    made.push(await changeMember(ticket, "status", "resolved"));
  });
  return made;
}

function Bulk({ selection, reload }: BulkProps) {
  const resolve = () =>
    act("resolve tickets", {
      run: () => resolveEach(selection).finally(reload),
      done: ({ length: n }) => t("closed", { n }),
      undo: (made) => inTurns(made, async ({ takeBack }) => void (await takeBack())).finally(reload),
    });
  const remove = async (): Promise<void> => {
    const n = selection.ids.peek().size;
    const isSure = await confirm({ title: t("deleteTitle", { n }), text: t("deleteWhy"), verb: t("delete") });
    if (!isSure) return;
    const run = () => forEachChosen(selection, (id) => api.deleteTicket({ id })).finally(reload);
    await act("delete tickets", { run, done: t("deleted", { n }) });
  };
  return (
    <SelectionBar selection={selection}>
      <Action needs="edit_tickets" deed="resolve tickets" run={resolve}>
        {t("close")}
      </Action>
      <Action needs="delete_tickets" deed="delete tickets" kind="danger" run={remove}>
        {t("delete")}
      </Action>
    </SelectionBar>
  );
}
