import { useEffect } from "preact/hooks";
import { type Loaded, useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { schedulerIsOn, useGlobalState } from "../../data/global-state.ts";
import { useFreshJobs } from "../../data/jobs/fresh-jobs.ts";
import { refreshNextRuns } from "../../data/jobs/next-runs.ts";
import { useKeys } from "../../data/keys.ts";
import { type ActiveJob, activeJobs } from "../../data/records/counts.ts";
import { listed, listedOne } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Gone } from "../../frame/gone.tsx";
import { Panel, Tabs } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Outline, WhenLoaded } from "../../parts/basic/states.tsx";
import { UpcomingRuns } from "../../parts/schedule/upcoming.tsx";
import { go, href, place, setQuery } from "../../router/router.ts";
import { now } from "../../texts/format.ts";
import type { Event } from "../events/deeds.ts";
import type { PageProps } from "../page.ts";
import { Expectations } from "./expect/index.tsx";
import { History } from "./history.tsx";
import { Runs } from "./runs/index.tsx";
import { type Past, readPast } from "./runs/read.ts";
import { close, Why } from "./runs/why.tsx";
import { Settings } from "./settings.tsx";
import { Summary } from "./summary.tsx";
import { t } from "./texts.ts";

const TABS = ["runs", "expect", "settings", "history"] as const;

/** One event: its state, its past and missed runs, and its settings. */
export function Page({ params: { id = "", tab = "runs" } }: PageProps) {
  const events = listed("events");
  const event = listedOne("events", id);
  useCrumbs([{ title: t("events"), href: href("/events") }, { title: event?.title ?? id }]);
  if (!events) return <Outline rows={10} />;
  if (!event) return <Gone>{t("gone", { id })}</Gone>;
  return <Shown key={id} event={event} tab={tab} />;
}

function Shown({ event, tab }: { readonly event: Event; readonly tab: string }) {
  const { id } = event;
  useGlobalState();
  const past = useLoad<Past>(`past ${id} ${event.revision}`, () => readPast(event));
  useFreshJobs(past.reload);
  useNextRun(event);
  useKeys({ r: () => can("run_jobs") && go(`/events/${id}/run`), Escape: close });
  const active = activeJobs.ids.value
    .flatMap((job) => activeJobs.get(job)?.value ?? [])
    .filter((job) => job.event === id);
  return (
    <>
      <Summary event={event} past={past.data.value} active={active} />
      <Tabs
        label={event.title}
        items={TABS.map((name) => ({
          href: href(name === "runs" ? `/events/${id}` : `/events/${id}/${name}`),
          title: t(`tab.${name}`),
          isCurrent: name === tab,
        }))}
      />
      <Content event={event} tab={tab} past={past} active={active} />
    </>
  );
}

interface ContentProps {
  readonly event: Event;
  readonly tab: string;
  readonly past: Loaded<Past>;
  readonly active: readonly ActiveJob[];
}

function Content({ event, tab, past, active }: ContentProps) {
  const why = Number(place.value.query["why"]) || undefined;
  if (tab === "expect") return <Expectations event={event} />;
  if (tab === "history") return <History event={event} />;
  if (tab === "settings") return <Settings event={event} />;
  return (
    <div class={why === undefined ? "split" : "split open"}>
      <Runs past={past} active={active} why={why} eventId={event.id} />
      {why === undefined ? <Next event={event} /> : <Why event={event} minute={why} />}
    </div>
  );
}

/** Keeps the event's next run up to date. */
function useNextRun(event: Event): void {
  const world = String(schedulerIsOn.value);
  const minute = Math.floor(now.value / 60);
  useEffect(() => {
    // If the request fails, the summary leaves the next run out.
    refreshNextRuns([event], world).catch(() => undefined);
  }, [event, world, minute]);
}

const SHOWN = 12;

/** Upcoming runs, and a button that asks why the event did or did not run in a past minute. */
function Next({ event }: { readonly event: Event }) {
  const minute = Math.floor(now.value / 60);
  const key = `upcoming ${event.id} ${event.revision} ${schedulerIsOn.value} ${minute}`;
  const found = useLoad(key, () => api.getUpcomingRuns({ id: event.id, limit: SHOWN }), event.id);
  const zone = event.triggers?.find(({ type, enabled }) => enabled && type === "schedule")?.["timezone"];
  const ask = () => setQuery({ why: String((minute - 1) * 60) }, { push: true });
  return (
    <Panel
      title={t("next")}
      more={
        <Button kind="row" onClick={ask}>
          {t("askWhy")}
        </Button>
      }
    >
      <WhenLoaded of={found} rows={6}>
        {(upcoming) => <UpcomingRuns of={upcoming} zone={typeof zone === "string" && zone ? zone : undefined} />}
      </WhenLoaded>
    </Panel>
  );
}
