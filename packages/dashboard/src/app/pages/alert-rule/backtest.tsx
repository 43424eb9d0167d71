import { useMemo, useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { listedOne, titleOf } from "../../data/records/lists.ts";
import { plainTitle } from "../../data/series/charts.ts";
import { readingsOf, readTimeline, type Timeline, unitOf } from "../../data/series/timeline.ts";
import { Panel, TONES } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Chart } from "../../parts/charts/chart.tsx";
import { Segments } from "../../parts/forms/fields.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { createTimeCursor } from "../../parts/plot/cursor.ts";
import { TIME_WIDTH, Time } from "../../parts/time.tsx";
import { duration, list, now } from "../../texts/format.ts";
import { t } from "../alert-rules/texts.ts";
import { limitIn, monitorIn, severityState } from "../alerts/state.ts";
import { type Draft, recordOf } from "./draft.ts";

type Report = Awaited<ReturnType<typeof api.backtestAlert>>;
type Past = Report["invocations"][number];

interface Result {
  readonly report: Report;
  readonly kind: Exclude<Draft["subject"], "presence">;
  readonly expression: string;
  readonly severity: string;
  /** Readings of the server on which the rule would have fired most often. */
  readonly timeline: Timeline | undefined;
  readonly server: string;
  readonly monitor: string | undefined;
}

interface BackTestProps {
  readonly draft: Draft;
  readonly id: string | undefined;
}

const SPANS = { day: 86_400, week: 7 * 86_400 } as const;

async function lookBack({ draft, id }: BackTestProps, span: keyof typeof SPANS): Promise<Result> {
  const { expression, message, samples, keep_firing_for, recovery, ...record } = recordOf(draft);
  const to = Math.floor(now.peek());
  const from = to - SPANS[span];
  const lasting = { samples, for: record.for, keep_firing_for, ...(recovery ? { recovery } : {}) };
  const about = id ? { alert: id } : { subject: draft.subject };
  const report = await api.backtestAlert({ ...about, expression, message, ...lasting, from, to });
  const server = mostOf(report.invocations.map((past) => past.server));
  const monitor = monitorIn(expression, undefined);
  const timeline = server && monitor ? await readTimeline({ server, from, to, monitors: [monitor] }) : undefined;
  const kind = draft.subject === "presence" ? "server" : draft.subject;
  return { report, kind, expression, severity: draft.severity, timeline, server, monitor };
}

/** Returns the list that holds the title of a firing's subject, and the subject's id in it. */
function placeOf({ server, event, heartbeat, check }: Past): Parameters<typeof titleOf> {
  if (heartbeat !== undefined) return ["heartbeats", heartbeat];
  if (check !== undefined) return ["checks", check];
  return event === undefined ? ["servers", server] : ["events", event];
}

const nameOf = (past: Past): string => titleOf(...placeOf(past));

/** Returns the most frequent name, or "" for an empty list. */
function mostOf(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0] ?? "";
}

/** When the rule in the form would have fired, evaluated over the stored history of its subjects. */
export function BackTest(props: BackTestProps) {
  const [span, setSpan] = useState<keyof typeof SPANS>("day");
  const [result, setResult] = useState<Result | undefined>(undefined);
  const run = async (): Promise<void> => setResult(await act("look back", { run: () => lookBack(props, span) }));
  const { expression } = props.draft;
  return (
    <Panel title={t("backtest")}>
      <div class="trial">
        <Segments
          label={t("range")}
          choices={(["day", "week"] as const).map((value) => ({ value, title: t(value) }))}
          value={span}
          onInput={(value) => setSpan(value as keyof typeof SPANS)}
        />
        <Action needs="edit_alerts" deed="look back" isDisabled={expression.trim() === ""} run={run}>
          {t("run")}
        </Action>
      </div>
      <div role="status">{result && <Sentence {...result} />}</div>
      {result?.timeline && <Drawn result={result} />}
      {result && result.report.invocations.length > 0 && (
        <Table label={t("fired")} columns={columns} rows={result.report.invocations} keyOf={keyOf} />
      )}
    </Panel>
  );
}

function Sentence({ report, kind }: Result) {
  const { invocations, servers, truncated, unknown_paths, errors } = report;
  const names = list([...new Set(invocations.map(nameOf))]);
  return (
    <p class="say verdict">
      {invocations.length === 0
        ? t(`wouldNot.${kind}`, { n: servers })
        : t("would", { n: invocations.length, servers: names })}{" "}
      {truncated && t("truncated")} {unknown_paths.length > 0 && t("unknown", { paths: list(unknown_paths) })}{" "}
      {errors && errors.count > 0 && t("errors", { n: errors.count, text: errors.text })}
    </p>
  );
}

function Drawn({ result }: { readonly result: Result }) {
  const { report, timeline, expression, severity, monitor: id, server } = result;
  const cursor = useMemo(createTimeCursor, []);
  const monitor = listedOne("monitors", id);
  const series = useMemo(
    () => (timeline && monitor ? [{ name: titleOf("servers", server), values: readingsOf(timeline, monitor.id) }] : []),
    [timeline, monitor],
  );
  if (!timeline || !monitor) return null;
  const { from, to } = report;
  const firing = report.invocations
    .filter((past) => past.server === server)
    .map(({ fired, cleared }) => [fired, cleared ?? to, TONES[severityState(severity)]] as const);
  return (
    <Chart
      {...{ title: plainTitle(monitor.title), unit: unitOf(monitor), series, from, to, firing, cursor, isFlush: true }}
      {...{ times: timeline.times, step: timeline.step, limit: limitIn(expression, monitor.id), isClose: true }}
    />
  );
}

const columns: readonly Column<Past>[] = [
  {
    key: "on",
    title: () => t("on"),
    width: "28%",
    cell: (past) => (
      <b class="cut" dir="auto">
        {nameOf(past)}
      </b>
    ),
  },
  {
    key: "message",
    title: () => t("message"),
    rank: 3,
    cell: ({ message }) => (
      <span class="dim cut" dir="auto">
        {message}
      </span>
    ),
  },
  {
    key: "fired",
    title: () => t("fired"),
    width: TIME_WIDTH,
    isNumber: true,
    cell: ({ fired }) => <Time at={fired} />,
  },
  {
    key: "for",
    title: () => t("for"),
    width: "6rem",
    isNumber: true,
    cell: ({ fired, cleared }) => (cleared === undefined ? t("stillOn") : duration(cleared - fired)),
  },
];
const keyOf = (past: Past): string => [...placeOf(past), past.fired].join(" ");
