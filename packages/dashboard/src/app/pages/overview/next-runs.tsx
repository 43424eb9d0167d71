import { listed } from "../../data/lists.ts";
import { useLoad } from "../../data/load.ts";
import { api, can } from "../../data/session.ts";
import { More, Panel } from "../../parts/basic.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { clock, duration, exact, now } from "../../texts/format.ts";
import { t } from "./texts.ts";

interface Run {
  readonly epoch: number;
  readonly event: string;
  readonly title: string;
}

/** Events whose runs are asked for; each is a question of its own. */
const MOST_EVENTS = 40;
const SHOWN = 7;

const isPlanned = ({ enabled, triggers }: { readonly enabled?: unknown; readonly triggers?: unknown }): boolean =>
  Boolean(enabled) &&
  Array.isArray(triggers) &&
  triggers.some((trigger) => trigger?.enabled && PLANNED.has(trigger.type));

const PLANNED: ReadonlySet<string> = new Set(["schedule", "interval", "single", "plugin"]);

async function readRuns(events: readonly { readonly id: string; readonly title: string }[]): Promise<readonly Run[]> {
  const lists = await Promise.all(
    events.slice(0, MOST_EVENTS).map(async ({ id, title }) => {
      const { rows } = await api.previewEvent({ id, limit: SHOWN });
      return rows.map(({ epoch }) => ({ epoch, event: id, title }));
    }),
  );
  return lists.flat().sort((left, right) => left.epoch - right.epoch);
}

/** What runs next by the clock; asked anew each minute. */
export function NextRuns() {
  const events = (listed("events") ?? []).filter(isPlanned);
  const minute = Math.floor(now.value / 60);
  const key = can("edit_events") ? events.map(({ id, modified }) => `${id} ${modified}`).join() : "";
  const runs = useLoad(`next ${key} ${minute}`, () => readRuns(key ? events : []));
  return (
    <Panel
      title={t("next")}
      class="g-next"
      more={hasPage("/events") && <More href={href("/events")}>{t("events")}</More>}
    >
      <WhenLoaded of={runs} rows={SHOWN}>
        {(rows) => (rows.length === 0 ? <Empty>{t("noNext")}</Empty> : <Runs rows={rows.slice(0, SHOWN)} />)}
      </WhenLoaded>
    </Panel>
  );
}

const Runs = ({ rows }: { readonly rows: readonly Run[] }) => (
  <ul class="agenda">
    {rows.map(({ epoch, event, title }) => (
      <li key={`${event} ${epoch}`}>
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
