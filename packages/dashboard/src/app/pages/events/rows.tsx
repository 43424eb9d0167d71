import { computed } from "@preact/signals";
import { can } from "../../data/calls/session.ts";
import { eventPath } from "../../data/jobs/job-name.ts";
import { jobState } from "../../data/jobs/job-state.ts";
import { lastRuns, STRIP } from "../../data/jobs/last-runs.ts";
import { nextRuns } from "../../data/jobs/next-runs.ts";
import { activeJobs } from "../../data/records/counts.ts";
import { listedOne } from "../../data/records/lists.ts";
import { Mark, type StateName, Swatch } from "../../parts/basic/basic.tsx";
import { RunStrip } from "../../parts/charts/run-strip.tsx";
import { type Column, sorted } from "../../parts/lists/table.tsx";
import { scheduleWords } from "../../parts/schedule/words.ts";
import { Age, TIME_WIDTH } from "../../parts/time.tsx";
import { href } from "../../router/router.ts";
import { until, when } from "../../texts/format.ts";
import { t as common } from "../../texts/words/common.ts";
import type { Event } from "./deeds.ts";
import { EventMenu } from "./menu.tsx";
import { t } from "./texts.ts";

/** Ids of events with an active job. Recomputed when jobs start or end, but not when their values change. */
export const running = computed(() => new Set(activeJobs.ids.value.map((id) => activeJobs.get(id)?.peek().event)));

const lastRunOf = (id: string) => lastRuns.value?.get(id)?.at(-1);
export const isFailing = (id: string): boolean => {
  const last = lastRunOf(id);
  return last !== undefined && BAD.has(jobState({ ...last, final: true }));
};
const BAD: ReadonlySet<StateName> = new Set<StateName>(["fail", "crit"]);

export function State({ event }: { readonly event: Event }) {
  if (running.value.has(event.id)) return <Mark state="run" />;
  if (!event.enabled) return <Mark state="abort" label={t("disabled")} />;
  const last = lastRunOf(event.id);
  return last ? <Mark state={jobState({ ...last, final: true })} /> : <Mark state="wait" label={t("neverRan")} />;
}

function Name({ event }: { readonly event: Event }) {
  const category = listedOne("categories", event.category);
  return (
    <span class="cell">
      <State event={event} />
      <a class="whole cut" href={href(eventPath(event))} dir="auto">
        <b>{event.title}</b>
      </a>
      <span class="xs dimmer cut if-wide" dir="auto">
        <Swatch color={category?.color} />
        {category?.title}
      </span>
    </span>
  );
}

function Strip({ id }: { readonly id: string }) {
  const runs = lastRuns.value?.get(id);
  if (!runs) return null;
  const shown = runs.map((run) => ({ state: jobState({ ...run, final: true }), elapsed: run.elapsed ?? 0 }));
  const ok = shown.filter(({ state }) => state === "ok").length;
  return <RunStrip runs={shown} most={STRIP} label={t("stripLabel", { ok, n: shown.length })} />;
}

export function Last({ id }: { readonly id: string }) {
  const last = lastRunOf(id);
  return last ? (
    <Age at={last.completed} />
  ) : (
    <span class="dimmer">{lastRuns.value ? (running.value.has(id) ? "–" : t("neverRan")) : ""}</span>
  );
}

function Next({ event }: { readonly event: Event }) {
  const next = nextRuns.value.get(event.id);
  if (!event.enabled) return <span class="dimmer">{t("disabled")}</span>;
  if (next?.epoch === undefined)
    return (
      <span class="dimmer" title={next?.held.join(" ")}>
        –
      </span>
    );
  if (next.held.length > 0)
    return (
      <span class="dimmer" title={next.held.join(" ")}>
        {t("held")}
      </span>
    );
  return <time title={common("inTime", { time: until(next.epoch) })}>{when(next.epoch)}</time>;
}

const Acts = ({ event }: { readonly event: Event }) => (
  <span class="row-acts">
    {can("run_jobs") && (
      <a
        class="btn row hide-s"
        href={href(`/events/${event.id}/run`)}
        aria-label={t("runNamed", { name: event.title })}
      >
        {t("run")}
      </a>
    )}
    <EventMenu event={event} />
  </span>
);

export const columns: readonly Column<Event>[] = [
  { key: "event", title: () => t("event"), sort: "title", cell: (event) => <Name event={event} /> },
  {
    key: "schedule",
    title: () => t("schedule"),
    rank: 2,
    width: "23%",
    cell: ({ triggers }) => {
      const words = scheduleWords(triggers ?? []);
      return (
        <span class="dim" title={words}>
          {words}
        </span>
      );
    },
  },
  { key: "strip", title: () => t("lastRuns"), rank: 3, width: "11rem", cell: ({ id }) => <Strip id={id} /> },
  {
    key: "last",
    title: () => t("lastRun"),
    isNumber: true,
    rank: 2,
    width: "6rem",
    sort: "last",
    cell: ({ id }) => <Last id={id} />,
  },
  {
    key: "next",
    title: () => t("nextRun"),
    isNumber: true,
    width: TIME_WIDTH,
    sort: "next",
    cell: (event) => <Next event={event} />,
  },
  { key: "actions", title: "", isNumber: true, width: "7rem", rank: 3, cell: (event) => <Acts event={event} /> },
];

/** Sorts by the selected column, or by title if none is selected. */
export const inOrder = (rows: readonly Event[], sort = "title"): readonly Event[] =>
  sorted(rows, sort, {
    title: ({ title }) => title,
    last: ({ id }) => lastRunOf(id)?.completed ?? 0,
    next: ({ id }) => nextRuns.value.get(id)?.epoch ?? Number.MAX_SAFE_INTEGER,
  });
