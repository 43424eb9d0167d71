import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useLive } from "../../data/live.ts";
import { personName } from "../../data/people/person-name.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { Difference } from "../../parts/difference/index.tsx";
import { Time } from "../../parts/time.tsx";
import { href, place } from "../../router/router.ts";
import type { Event } from "../events/deeds.ts";
import { rollbackOf } from "./rollback.ts";
import { t } from "./texts.ts";

type Row = Awaited<ReturnType<typeof api.getEventHistory>>["rows"][number];

const MOST = 100;
const eventOf = (row: Row | undefined): Event | undefined => row?.["event"] as Event | undefined;

/** Revisions of the event, each with its changes and a way to roll back to it. */
export function History({ event }: { readonly event: Event }) {
  const found = useLoad(`history ${event.id} ${event.revision}`, () =>
    api.getEventHistory({ id: event.id, limit: MOST }),
  );
  useLive("back", found.reload);
  return (
    <WhenLoaded of={found}>
      {({ rows, list }) => {
        if (rows.length === 0) return <Empty>{t("noHistory")}</Empty>;
        const open = rows.find(({ id }) => id === place.value.query["change"]) ?? rows[0];
        const before = rows[rows.indexOf(open as Row) + 1];
        return (
          <div class="split">
            <Panel title={t("revisions")} count={list.length}>
              <ol class="rows revisions">
                {rows.map((row) => (
                  <Revision key={row.id} row={row} current={event} isOpen={row === open} />
                ))}
              </ol>
            </Panel>
            <Change event={event} row={open} before={before} />
          </div>
        );
      }}
    </WhenLoaded>
  );
}

interface RevisionProps {
  readonly row: Row;
  readonly current: Event;
  readonly isOpen: boolean;
}

function Revision({ row, current, isOpen }: RevisionProps) {
  const revision = eventOf(row)?.revision ?? 1;
  const isCurrent = revision === current.revision;
  return (
    <li aria-current={isOpen || undefined}>
      <span class="num dimmer">{revision}</span>
      <div class="what">
        <a href={href(`/events/${current.id}/history`, { change: row.id })}>
          <b>{t(row.action === "event_create" ? "created" : "changed", { name: personName(row.username ?? "") })}</b>
        </a>
        <div class="why">{isCurrent ? t("isCurrent") : ""}</div>
      </div>
      <div class="when">
        <Time at={row.epoch} />
      </div>
    </li>
  );
}

interface ChangeProps {
  readonly event: Event;
  readonly row: Row | undefined;
  readonly before: Row | undefined;
}

function Change({ event, row, before }: ChangeProps) {
  const then = eventOf(row);
  if (!row || !then) return null;
  const revision = then.revision;
  return (
    <Panel
      title={t("revision", { n: revision })}
      note={<Time at={row.epoch} />}
      more={
        revision !== event.revision && (
          <Action
            needs="edit_events"
            deed={`roll back ${event.id}`}
            kind="row"
            icon="retry"
            run={() => rollBack(event, then)}
          >
            {t("rollBack")}
          </Action>
        )
      }
    >
      {row.action === "event_create" ? (
        <Empty>{t("firstRevision")}</Empty>
      ) : before ? (
        <Difference before={eventOf(before)} after={then} />
      ) : (
        <Empty>{t("noBefore")}</Empty>
      )}
    </Panel>
  );
}

async function rollBack(current: Event, then: Event): Promise<void> {
  const done = t("rolledBack", { n: then.revision });
  const put = (from: Event, to: Event) => api.updateEvent(rollbackOf(from, to));
  await act(`roll back ${current.id}`, {
    run: () => put(current, then),
    done,
    undo: ({ event }) => put(event as Event, current),
  });
}
