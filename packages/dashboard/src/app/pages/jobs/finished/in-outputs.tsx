import { useEffect, useRef, useState } from "preact/hooks";
import { inTurns } from "../../../data/calls/in-turns.ts";
import { asError } from "../../../data/calls/load.ts";
import { api } from "../../../data/calls/session.ts";
import { jobName } from "../../../data/jobs/job-name.ts";
import { jobState } from "../../../data/jobs/job-state.ts";
import { Mark } from "../../../parts/basic/basic.tsx";
import { Button } from "../../../parts/basic/button.tsx";
import { Empty } from "../../../parts/basic/states.tsx";
import { Progress } from "../../../parts/charts/gauges.tsx";
import { Time } from "../../../parts/time.tsx";
import { href, place, setQuery } from "../../../router/router.ts";
import { number } from "../../../texts/format.ts";
import { needleOf } from "../../job/log/search.ts";
import { t } from "../texts.ts";
import { type Hits, searchOutput } from "./outputs.ts";

/** Maximum number of jobs searched, newest first. */
const MOST = 200;

type Found = Awaited<ReturnType<typeof api.searchJobs>>["rows"][number];
interface Hit {
  readonly job: Found;
  readonly hits: readonly Hits[];
}

interface Progressed {
  readonly done: number;
  /** Undefined until it is known. */
  readonly all: number | undefined;
  readonly hits: readonly Hit[];
  readonly error?: string;
}

const NOTHING: Progressed = { done: 0, all: undefined, hits: [] };

/** Searches the output of the matching jobs: their logs and output files. The browser reads three at a time. */
export function InOutputs({ query }: { readonly query: string }) {
  const { in: sought = "" } = place.value.query;
  const [text, setText] = useState(sought);
  const { state, stop } = useSearch(query, sought);
  return (
    <>
      <form
        class="seek"
        role="search"
        aria-label={t("seek")}
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ in: text || undefined }, { push: true });
        }}
      >
        <input
          type="search"
          class="input"
          aria-label={t("seek")}
          placeholder={t("seekHint")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" icon="search">
          {t("seekDo")}
        </Button>
      </form>
      {sought === "" ? <Empty>{t("seekWhat", { n: MOST })}</Empty> : <Results state={state} stop={stop} />}
    </>
  );
}

function useSearch(query: string, sought: string) {
  const [state, setState] = useState(NOTHING);
  const own = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    setState(NOTHING);
    if (sought === "") return;
    const running = new AbortController();
    own.current = running;
    search({ query, sought, signal: running.signal, onMore: setState }).catch((reason: unknown) => {
      if (!running.signal.aborted) setState({ ...NOTHING, error: asError(reason).description });
    });
    return () => running.abort();
  }, [query, sought]);
  return { state, stop: () => own.current?.abort() };
}

interface Search {
  readonly query: string;
  readonly sought: string;
  readonly signal: AbortSignal;
  readonly onMore: (state: Progressed) => void;
}

async function search({ query, sought, signal, onMore }: Search): Promise<void> {
  const needle = needleOf(sought);
  if (!needle) return;
  const { rows } = await api.searchJobs({ query: query || "*", limit: MOST, select: SELECT }, { signal });
  let [done, hits]: [number, readonly Hit[]] = [0, []];
  onMore({ done, all: rows.length, hits });
  await inTurns(rows, async (job) => {
    if (signal.aborted) return;
    const files = (job.files ?? []) as Parameters<typeof searchOutput>[0]["files"];
    const own = await searchOutput({ id: job.id ?? "", files }, needle, signal).catch(noneIfGone);
    if (signal.aborted) return;
    done += 1;
    if (own.length > 0) hits = [...hits, { job, hits: own }];
    onMore({ done, all: rows.length, hits });
  });
}

/** A job that has been deleted meanwhile has no matches. */
function noneIfGone(reason: unknown): readonly Hits[] {
  if (asError(reason).code === "notfound") return [];
  throw reason;
}

const SELECT = ["id", "event", "type", "plabel", "plugin", "workflow", "code", "completed", "started", "files"];

function Results({
  state: { done, all, hits, error },
  stop,
}: {
  readonly state: Progressed;
  readonly stop: () => void;
}) {
  if (error !== undefined)
    return (
      <p class="inner wrong" role="alert">
        {error}
      </p>
    );
  if (all === 0) return <Empty>{t("noMatch")}</Empty>;
  const inOrder = hits.toSorted((left, right) => (right.job.completed ?? 0) - (left.job.completed ?? 0));
  return (
    <>
      <p class="seek-state" role="status">
        <Progress label={t("seek")} value={all ? done / all : 0} />
        <span class="sm dim">{t("seekState", { done: number(done), all: number(all ?? 0), n: hits.length })}</span>
        {done !== all && (
          <Button kind="row" onClick={stop}>
            {t("seekStop")}
          </Button>
        )}
      </p>
      {done === all && hits.length === 0 && <Empty>{t("seekNothing")}</Empty>}
      <ul class="seek-hits">
        {inOrder.map((hit) => (
          <JobHits key={hit.job.id} {...hit} />
        ))}
      </ul>
    </>
  );
}

const JobHits = ({ job, hits }: Hit) => (
  <li>
    <p class="cell">
      <Mark state={jobState({ ...job, final: true })} />
      <a class="cut" href={href(`/jobs/${job.id}`)} dir="auto">
        <b>{jobName(job)}</b>
      </a>
      {job.completed && (
        <span class="dim sm">
          <Time at={job.completed} />
        </span>
      )}
    </p>
    {hits.map((source) => (
      <SourceHits key={source.path ?? ""} job={job.id ?? ""} source={source} />
    ))}
  </li>
);

const SourceHits = ({ job, source: { name, lines, count } }: { readonly job: string; readonly source: Hits }) => (
  <>
    {name && (
      <p class="xs dim" dir="auto">
        {name}
      </p>
    )}
    <ol class="mono">
      {lines.map(({ number: line, parts: [before, match, after] }) => {
        const text = [before, <mark key="match">{match}</mark>, after];
        return (
          <li key={line} value={line} dir="auto">
            {name ? <span>{text}</span> : <a href={`${href(`/jobs/${job}`)}#L${line}`}>{text}</a>}
          </li>
        );
      })}
    </ol>
    {count > lines.length && <p class="xs dimmer">{t("seekMore", { n: count - lines.length })}</p>}
  </>
);
