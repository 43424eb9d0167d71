import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { personName } from "../../data/people/person-name.ts";
import { picture } from "../../parts/after-picture.ts";
import { Mark, More } from "../../parts/basic/basic.tsx";
import { Menu } from "../../parts/basic/menu.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { href } from "../../router/router.ts";
import { list, now, number } from "../../texts/format.ts";
import { changeMember } from "../ticket/attributes/change.ts";
import { Due } from "./list.tsx";
import { useTicketNews } from "./news.ts";
import { columnQuery, columnsOf } from "./query/query.ts";
import { STATUSES, stateName, stateOf, statusName, type TicketRow, typeName } from "./query/values.ts";
import { t } from "./texts.ts";

const MOST = 50;

interface Lane {
  readonly status: string;
  readonly rows: readonly TicketRow[];
  readonly total: number;
}

async function load(query: string, signal: AbortSignal): Promise<readonly Lane[]> {
  const columns = columnsOf(query, query.trim() ? STATUSES : ["open", "in_progress", "on_hold", "resolved"]);
  const ask = async (status: string): Promise<Lane> => {
    const input = { query: columnQuery(query, status), limit: MOST, compact: true, sort_by: "modified" };
    const { rows, list: all } = await api.searchTickets(input, { signal });
    return { status, rows, total: all.length };
  };
  return Promise.all(columns.map(ask));
}

/** Tickets in columns by status. They are dragged, or moved with their menus. */
export function Board({ query }: { readonly query: string }) {
  const lanes = useLoad(`tickets board ${query}`, (signal) => load(query, signal));
  useTicketNews(() => lanes.reload());
  const move = async (ticket: TicketRow, status: string): Promise<void> => {
    if (ticket.status === status) return;
    await act(`move ${ticket.id}`, {
      run: () => changeMember(ticket, "status", status),
      done: t("moved", { num: `#${ticket.num}`, status: statusName(status) }),
      undo: ({ takeBack }) => takeBack().finally(lanes.reload),
    });
    await lanes.reload();
    await picture();
    // Moves focus to the ticket's new card, because each column renders its own.
    document.getElementById(`card-${ticket.id}`)?.querySelector("button")?.focus();
  };
  return (
    <WhenLoaded of={lanes} rows={8}>
      {(all) => (
        <div class="board" tabIndex={0} role="region" aria-label={t("asBoard")}>
          {all.map((lane) => (
            <Column key={lane.status} lane={lane} all={all} move={move} query={query} />
          ))}
        </div>
      )}
    </WhenLoaded>
  );
}

interface ColumnProps {
  readonly lane: Lane;
  readonly query: string;
  readonly all: readonly Lane[];
  readonly move: (ticket: TicketRow, status: string) => unknown;
}

const KIND = "application/x-signalbox-ticket";

function Column({ lane: { status, rows, total }, query, all, move }: ColumnProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const id = event.dataTransfer?.getData(KIND);
    const ticket = all.flatMap((lane) => lane.rows).find((row) => row.id === id);
    if (ticket) void move(ticket, status);
  };
  return (
    <section
      class={isOver ? "over" : ""}
      aria-label={statusName(status)}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(KIND)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h3>
        {statusName(status)} <span class="dimmer num">{number(total)}</span>
      </h3>
      <ul>
        {rows.map((ticket) => (
          <Card key={ticket.id} ticket={ticket} statuses={all.map((lane) => lane.status)} move={move} />
        ))}
      </ul>
      {rows.length === 0 && <p class="dimmer xs">{t("columnEmpty")}</p>}
      {total > rows.length && (
        <p class="xs">
          <More href={href("/tickets", { q: columnQuery(query, status) })}>
            {t("more", { n: total - rows.length })}
          </More>
        </p>
      )}
    </section>
  );
}

interface CardProps {
  readonly ticket: TicketRow;
  readonly statuses: readonly string[];
  readonly move: ColumnProps["move"];
}

function Card({ ticket, statuses, move }: CardProps) {
  const { id, num, subject, assignees, type } = ticket;
  const mayMove = can("edit_tickets");
  return (
    <li id={`card-${id}`} draggable={mayMove} onDragStart={(event) => event.dataTransfer?.setData(KIND, id)}>
      <Mark state={stateOf(ticket, now.value)} label={stateName(ticket, now.value)} />
      <a class="whole" href={href(`/tickets/${num}`)} dir="auto">
        {subject}
      </a>
      {mayMove && (
        <Menu
          label={t("moveTo", { subject })}
          items={statuses
            .filter((status) => status !== ticket.status)
            .map((status) => ({
              title: t("moveInto", { status: statusName(status) }),
              run: () => move(ticket, status),
            }))}
        />
      )}
      <p class="xs dim" dir="auto">
        #{num} {[typeName(type), list(assignees.map(personName))].filter(Boolean).join(" · ")}
        {ticket.due ? "\u00a0· " : ""}
        <Due ticket={ticket} />
      </p>
    </li>
  );
}
