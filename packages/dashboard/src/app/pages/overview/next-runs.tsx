import { usePolling } from "../../data/fresh-jobs.ts";
import { listed } from "../../data/lists.ts";
import { useLoad } from "../../data/load.ts";
import { isAdmin, viewer } from "../../data/session.ts";
import { More, Panel } from "../../parts/basic.tsx";
import { Empty, Outline, WhenLoaded } from "../../parts/states.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { clock, duration, exact, now } from "../../texts/format.ts";
import { t } from "./texts.ts";
import { isPlanned, type PlannedEvent, type Run, readRuns } from "./upcoming.ts";

const SHOWN = 7;

/** What runs next by the clock; asked anew each minute. */
export function NextRuns() {
  const mayAsk = viewer.value?.privileges["edit_events"] === true || isAdmin();
  return (
    <Panel
      title={t("next")}
      class="g-next"
      more={hasPage("/events") && <More href={href("/events")}>{t("events")}</More>}
    >
      {mayAsk ? <Upcoming /> : <Empty>{t("nextNotAllowed")}</Empty>}
    </Panel>
  );
}

function Upcoming() {
  const known = listed("events");
  const events = (known ?? []).filter(isPlanned) as unknown as readonly PlannedEvent[];
  const minute = Math.floor(now.value / 60);
  const key = (known ?? []).map(({ id, modified }) => `${id} ${modified}`).join();
  const runs = useLoad(`next ${key}`, () => readRuns(events, SHOWN));
  usePolling(minute, runs.reload);
  if (!known) return <Outline rows={SHOWN} />;
  if (events.length === 0) return <Empty>{t("noNext")}</Empty>;
  return (
    <WhenLoaded of={runs} rows={SHOWN}>
      {(rows) => (rows.length === 0 ? <Empty>{t("noneSoon")}</Empty> : <Runs rows={rows} />)}
    </WhenLoaded>
  );
}

const Runs = ({ rows }: { readonly rows: readonly Run[] }) => (
  <ul class="agenda">
    {rows.map(({ epoch, event, title }, at) => (
      <li key={`${event} ${epoch} ${at}`}>
        <time title={exact(epoch)}>{clock(epoch)}</time>
        <span class="cut" dir="auto">
          {hasPage(`/events/${event}`) ? <a href={href(`/events/${event}`)}>{title}</a> : title}
        </span>
        <span class="xs dimmer num">
          {t("in", { time: duration(Math.max(60, Math.ceil((epoch - now.value) / 60) * 60)) })}
        </span>
      </li>
    ))}
  </ul>
);
