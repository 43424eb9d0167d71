import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { Loaded } from "../../../data/calls/load.ts";
import { jobState } from "../../../data/jobs/job-state.ts";
import { personName } from "../../../data/people/person-name.ts";
import type { ActiveJob } from "../../../data/records/counts.ts";
import { titleOf } from "../../../data/records/lists.ts";
import { Mark, Panel } from "../../../parts/basic/basic.tsx";
import { Button } from "../../../parts/basic/button.tsx";
import { Empty, WhenLoaded } from "../../../parts/basic/states.tsx";
import { NewRows, useCalm } from "../../../parts/calm/index.tsx";
import { Tail } from "../../../parts/lists/load-more.tsx";
import { Time } from "../../../parts/time.tsx";
import { href, setQuery } from "../../../router/router.ts";
import { duration, when } from "../../../texts/format.ts";
import { t as frame } from "../../../texts/words/frame.ts";
import { t } from "../texts.ts";
import type { Past } from "./read.ts";
import { type RunRow, runRows } from "./rows.ts";

interface RunsProps {
  readonly past: Loaded<Past>;
  /** Jobs of the event that have not ended. */
  readonly active: readonly ActiveJob[];
  /** Unix seconds of the minute that the viewer asks about. */
  readonly why: number | undefined;
  readonly eventId: string;
}

const PAGE = 30;

/** Runs of the event, and due runs that did not happen. */
export function Runs({ past, active, why, eventId }: RunsProps) {
  return (
    <Panel
      title={t("runs")}
      count={past.data.value && past.data.value.total + active.length}
      more={
        <a class="more" href={href("/jobs", { q: `event:${eventId}` })}>
          {t("allJobs")}
        </a>
      }
    >
      <WhenLoaded of={past} rows={8}>
        {(known) => <List known={known} active={active} why={why} eventId={eventId} />}
      </WhenLoaded>
    </Panel>
  );
}

/** An active job, or a row of the past. */
type Line = { readonly kind: "active"; readonly job: ActiveJob } | RunRow;

/** Uses the job's id, so that a job keeps its line when it ends. */
const keyOf = (line: Line): string => (line.kind === "missed" ? `missed ${line.from}` : line.job.id);

interface ListProps extends Omit<RunsProps, "past"> {
  readonly known: Past;
}

/** Freezes the order while the pointer is over the list. Otherwise a job that ends every second would move lines away from it. */
function List({ known: { jobs, due }, active, why, eventId }: ListProps) {
  const shown = useSignal(PAGE);
  const list = useRef<HTMLUListElement>(null);
  const rows = useMemo((): readonly Line[] => {
    const launched = active.map((job) => (job["now"] as number | undefined) ?? job.started);
    return [...active.map((job) => ({ kind: "active", job }) as const), ...runRows(jobs, due, launched)];
  }, [jobs, due, active]);
  const calm = useCalm(list, { rows, keyOf, question: eventId });
  if (rows.length === 0) return <Empty>{t("noRuns")}</Empty>;
  return (
    <>
      <NewRows {...calm} />
      <ul class="rows runs" ref={list}>
        {calm.rows.slice(0, shown.value).map((line) => {
          const isGone = calm.gone.has(keyOf(line));
          return line.kind === "active" ? (
            <Active key={keyOf(line)} job={line.job} isGone={isGone} />
          ) : (
            <Row key={keyOf(line)} row={line} why={why} />
          );
        })}
      </ul>
      <Tail limit={shown} step={PAGE} shown={shown.value} all={calm.rows.length} />
    </>
  );
}

const Active = ({ job, isGone }: { readonly job: ActiveJob; readonly isGone: boolean }) => (
  <li class={isGone ? "is-gone" : ""}>
    <Mark state={jobState(job)} />
    <div class="what">
      <a href={href(`/jobs/${job.id}`)}>
        <b>{t(jobState(job) === "wait" ? "waits" : "runs.now")}</b>
      </a>
      <div class="why cut">{job.server ? t("on", { server: titleOf("servers", job.server) }) : ""}</div>
    </div>
    <div class="when">
      <Time at={job.started} />
    </div>
  </li>
);

function Row({ row, why }: { readonly row: RunRow; readonly why: number | undefined }) {
  if (row.kind === "missed") return <Missed row={row} isOpen={why !== undefined && why >= row.from && why <= row.at} />;
  const { job } = row;
  const { id, code, description, server, username, source = "", elapsed } = job;
  const state = jobState({ ...job, final: true });
  const by = t(`by.${BY.has(source) ? (source as "user") : "other"}`, { name: personName(username ?? source) });
  return (
    <li>
      <Mark state={state} />
      <div class="what">
        <a href={href(`/jobs/${id}`)} dir="auto">
          <b>{code ? description || String(code) : frame(`state.${state}`)}</b>
        </a>
        <div class="why cut">
          {[by, server && t("on", { server: titleOf("servers", server) })].filter(Boolean).join(", ")}
        </div>
      </div>
      <div class="when">
        <Time at={row.at} />
        <div class="xs dimmer">{elapsed === undefined ? "" : duration(elapsed)}</div>
      </div>
    </li>
  );
}

const BY: ReadonlySet<string> = new Set([
  "scheduler",
  "plugin",
  "user",
  "key",
  "action",
  "alert",
  "workflow",
  "magic",
  "startup",
]);

function Missed({
  row: { from, at, count },
  isOpen,
}: {
  readonly row: RunRow & { kind: "missed" };
  readonly isOpen: boolean;
}) {
  const open = () => setQuery({ why: String(Math.floor(at / 60) * 60) }, { push: true });
  return (
    <li aria-current={isOpen || undefined}>
      <Mark state="gone" label={t("missedMark")} />
      <div class="what">
        <b>{t("missed", { n: count })}</b>
        <div class="why">{count > 1 ? t("between", { from: when(from), to: when(at) }) : t("wasDue")}</div>
      </div>
      <div class="when">
        <Time at={at} />
      </div>
      <div class="acts">
        <Button kind="row" label={`${t("why")} ${when(at)}`} onClick={open}>
          {t("why")}
        </Button>
      </div>
    </li>
  );
}
