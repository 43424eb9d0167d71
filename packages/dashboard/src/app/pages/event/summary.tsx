import { can } from "../../data/calls/session.ts";
import { jobState } from "../../data/jobs/job-state.ts";
import { nextRuns } from "../../data/jobs/next-runs.ts";
import type { ActiveJob } from "../../data/records/counts.ts";
import { listedOne, titleOf } from "../../data/records/lists.ts";
import { Facts, Head, Pill, type StateName, Swatch } from "../../parts/basic/basic.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { RunStrip } from "../../parts/charts/run-strip.tsx";
import { scheduleWords } from "../../parts/schedule/words.ts";
import { href } from "../../router/router.ts";
import { age, duration, list, number, percent, until, when } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import type { Event } from "../events/deeds.ts";
import { EventMenu } from "../events/menu.tsx";
import { FiresNow } from "./expect/index.tsx";
import type { Past } from "./runs/read.ts";
import { figuresOf, type PastJob } from "./runs/rows.ts";
import { t } from "./texts.ts";

interface SummaryProps {
  readonly event: Event;
  readonly past: Past | undefined;
  readonly active: readonly ActiveJob[];
}

/** State of the event in a sentence, then its actions and figures. */
export function Summary({ event, past, active }: SummaryProps) {
  const last = past?.jobs[0];
  return (
    <>
      <Head
        title={event.title}
        state={<State event={event} last={last} active={active} />}
        actions={<Actions event={event} />}
      />
      <section class="panel hero" aria-label={t("howItStands")}>
        <p class="stands" dir="auto">
          {active.length > 0 && t("runsNow", { n: active.length })}{" "}
          {last ? lastWords(last) : past && active.length === 0 && t("neverRan")} <NextWords event={event} />
        </p>
        <FiresNow id={event.id} />
        {past?.jobs.length !== 0 && <Strip jobs={past?.jobs} />}
        <Facts facts={factsOf(event, past)} />
      </section>
    </>
  );
}

function State({
  event,
  last,
  active,
}: {
  readonly event: Event;
  readonly last: PastJob | undefined;
  readonly active: readonly ActiveJob[];
}) {
  if (active.length > 0) return <Pill state={active.some((job) => jobState(job) === "run") ? "run" : "wait"} />;
  if (!event.enabled) return <Pill state="abort" label={t("off")} />;
  return last ? <Pill state={jobState({ ...last, final: true })} /> : null;
}

function lastWords(last: PastJob): string {
  const state: StateName = jobState({ ...last, final: true });
  const values = { time: age(last.completed), why: last.description || String(last.code) };
  if (state === "ok") return t("wentWell", values);
  return t(state === "abort" ? "wasAborted" : state === "warn" ? "hadWarning" : "hasFailed", values);
}

function NextWords({ event }: { readonly event: Event }) {
  const next = nextRuns.value.get(event.id);
  if (!event.enabled) return <>{t("isOff")}</>;
  if (next?.epoch === undefined) return null;
  if (next.held.length > 0) return <>{t("isHeld", { why: next.held.join(" ") })}</>;
  return (
    <>
      {t("nextAt", {
        time: when(next.epoch),
        in: until(next.epoch),
      })}
    </>
  );
}

const SHOWN = 60;

/** Strip of the last runs. Reserves its space while loading, so that the tabs below do not move. */
function Strip({ jobs }: { readonly jobs: readonly PastJob[] | undefined }) {
  if (!jobs) return <RunStrip runs={[]} most={SHOWN} label={frame("loading")} />;
  const shown = jobs.slice(0, SHOWN).toReversed();
  const { ok, count } = figuresOf(shown);
  const runs = shown.map((job) => ({ state: jobState({ ...job, final: true }), elapsed: job.elapsed ?? 0 }));
  return <RunStrip runs={runs} most={runs.length} label={t("wentWellOf", { ok, n: count })} />;
}

const targetName = (id: string): string => (listedOne("groups", id) ? titleOf("groups", id) : titleOf("servers", id));

/** Describes the targets. One of several is chosen for each run. */
function whereWords(targets: readonly string[]): string {
  const names = list(targets.map(targetName));
  return targets.length > 1 ? t("oneOf", { names }) : names;
}

function factsOf({ id, type, triggers, targets, category, plugin }: Event, past: Past | undefined) {
  const { count, ok, usual, longest } = figuresOf(past?.jobs ?? []);
  /** Reserves the space of a figure until it is loaded. */
  const figure = (name: string, value: string | undefined) =>
    past && value === undefined ? undefined : { name, value: value ?? "…" };
  const color = listedOne("categories", category)?.color;
  return [
    { name: t("when"), value: scheduleWords(triggers ?? []) },
    targets.length > 0 ? { name: t("where"), value: whereWords(targets) } : undefined,
    {
      name: t("category"),
      value: (
        <>
          <Swatch color={color} />
          {titleOf("categories", category)}
        </>
      ),
    },
    type === "workflow"
      ? {
          name: t("workflow"),
          value: (
            <a class="more" href={href(`/workflows/${id}`)}>
              {t("toGraph")}
            </a>
          ),
        }
      : { name: t("plugin"), value: titleOf("plugins", plugin) },
    figure(t("success", { n: count || SHOWN }), count > 1 ? percent((ok / count) * 100) : undefined),
    figure(t("usualTime"), usual === undefined ? undefined : duration(usual)),
    figure(t("longestTime"), longest === undefined ? undefined : duration(longest)),
    figure(t("allRuns"), past && past.total > 0 ? number(past.total) : undefined),
  ];
}

const Actions = ({ event }: { readonly event: Event }) => (
  <>
    {can("edit_events") && (
      <a class="btn" href={href(`/events/${event.id}/edit`)}>
        <Icon name="edit" />
        {t("edit")}
      </a>
    )}
    {can("run_jobs") && (
      <a class="btn primary" href={href(`/events/${event.id}/run`)}>
        <Icon name="play" />
        {t("runNow")}
      </a>
    )}
    <EventMenu event={event} isShort />
  </>
);
