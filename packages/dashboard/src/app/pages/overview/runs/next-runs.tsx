import { useLoad } from "../../../data/calls/load.ts";
import { api } from "../../../data/calls/session.ts";
import { schedulerIsOn, useGlobalState } from "../../../data/global-state.ts";
import { usePolling } from "../../../data/jobs/fresh-jobs.ts";
import { listed, titleOf } from "../../../data/records/lists.ts";
import { More, Panel } from "../../../parts/basic/basic.tsx";
import { Empty, WhenLoaded } from "../../../parts/basic/states.tsx";
import { hasPage } from "../../../router/find-page.ts";
import { href } from "../../../router/router.ts";
import { clock, exact, until } from "../../../texts/format.ts";
import { t as common } from "../../../texts/words/common.ts";
import { t } from "../texts.ts";

/** Lines of the panel, and of the panel in a wide window, where it stands beside a longer one. */
const SHOWN = 7;
const SHOWN_WIDE = 14;

type Run = Awaited<ReturnType<typeof api.getUpcomingRuns>>["rows"][number];

/** The next scheduled runs, reloaded every minute. */
export const NextRuns = () => (
  <Panel
    title={t("next")}
    class="g-next"
    more={hasPage("/events") && <More href={href("/events")}>{t("events")}</More>}
  >
    <Upcoming />
  </Panel>
);

function Upcoming() {
  const known = listed("events");
  const key = (known ?? []).map(({ id, modified }) => `${id} ${modified}`).join();
  const runs = useLoad(`next ${key}`, async () => (await api.getUpcomingRuns({ limit: SHOWN_WIDE })).rows);
  usePolling(60, runs.reload);
  useGlobalState();
  return (
    <>
      {!schedulerIsOn.value && <p class="say">{t("paused")}</p>}
      <WhenLoaded of={runs} rows={SHOWN}>
        {(rows) => (rows.length === 0 ? <Empty>{t("noneSoon")}</Empty> : <Runs rows={rows} />)}
      </WhenLoaded>
    </>
  );
}

const Runs = ({ rows }: { readonly rows: readonly Run[] }) => (
  <ul class="agenda">
    {rows.map(({ epoch, event }, at) => (
      <li key={`${event} ${epoch} ${at}`}>
        <time title={exact(epoch)}>{clock(epoch)}</time>
        <span class="cut" dir="auto">
          {hasPage(`/events/${event}`) ? (
            <a href={href(`/events/${event}`)}>{titleOf("events", event)}</a>
          ) : (
            titleOf("events", event)
          )}
        </span>
        <span class="xs dimmer num">{common("inTime", { time: until(epoch) })}</span>
      </li>
    ))}
  </ul>
);
