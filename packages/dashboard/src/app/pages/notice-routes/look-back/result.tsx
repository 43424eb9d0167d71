import { useMemo } from "preact/hooks";
import type { api } from "../../../data/calls/session.ts";
import { subjectTitle } from "../../../data/records/subjects.ts";
import { Mark } from "../../../parts/basic/basic.tsx";
import { type Column, Table } from "../../../parts/lists/table.tsx";
import { TIME_WIDTH, Time } from "../../../parts/time.tsx";
import { href } from "../../../router/router.ts";
import { list, number } from "../../../texts/format.ts";
import { severityState } from "../../alerts/state.ts";
import { nameIn, type Receiver, useReceivers } from "../../notices/data.ts";
import { t as notices } from "../../notices/texts.ts";
import { t } from "../texts.ts";

export type Report = Awaited<ReturnType<typeof api.backtestNotices>>;
type Past = Report["notices"][number];

interface Told {
  readonly receiver: string;
  readonly title: string;
  readonly before: number;
  readonly now: number;
}

/** Number of notices per receiver, as sent and as they would have been. */
function toldOf({ then, by_receiver }: Report): readonly Told[] {
  const rows = new Map<string, Told>();
  const none = { before: 0, now: 0 };
  for (const { receiver, title, notices: before } of then) rows.set(receiver, { ...none, receiver, title, before });
  for (const { receiver, title, notices: now } of by_receiver)
    rows.set(receiver, { ...none, ...rows.get(receiver), receiver, title, now });
  return [...rows.values()].sort((left, right) => right.now - left.now || right.before - left.before);
}

interface ResultProps {
  readonly report: Report;
  /** The route in question; the list shows only its notices. */
  readonly route: string;
}

/**
 * Result of the backtest: "these 14 notices would have been these 3", to whom, which firings no one would have heard
 * of, and each notice.
 */
export function Result({ report, route }: ResultProps) {
  const { notices: all, firings, truncated, untold } = report;
  const receivers = useReceivers().data.value;
  const columns = useMemo(() => pastColumns(receivers), [receivers]);
  const ofTold = useMemo(() => toldColumns(receivers), [receivers]);
  const rows = all.filter((notice) => notice.route === route).toReversed();
  const sent = report.then.reduce((sum, { notices }) => sum + notices, 0);
  const would = report.by_receiver.reduce((sum, { notices }) => sum + notices, 0);
  return (
    <>
      <p class="say verdict">
        {t("wouldBe", { before: number(sent), now: number(would), firings: t("ofFirings", { n: firings }) })}{" "}
        {untold.length > 0 && t("untold", { n: untold.length, names: places(untold) })} {truncated && t("truncated")}
      </p>
      {toldOf(report).length > 0 && (
        <Table label={t("byReceiver")} columns={ofTold} rows={toldOf(report)} keyOf={keyOf} />
      )}
      {rows.length > 0 && <Table label={t("byThis")} columns={columns} rows={rows} keyOf={pastKey} />}
    </>
  );
}

const NAMED = 3;

function places(untold: Report["untold"]): string {
  const names = [...new Set(untold.map(({ place }) => subjectTitle({ server: place })))];
  return list(names.length > NAMED ? [...names.slice(0, NAMED), "…"] : names);
}

const keyOf = ({ receiver }: Told): string => receiver;
const pastKey = ({ date, receiver, kind, subject }: Past): string => `${date} ${receiver} ${kind} ${subject}`;

const count = (key: "before" | "now"): Column<Told> => ({
  key,
  title: () => t(key),
  isNumber: true,
  width: "9rem",
  cell: (row) => (row[key] === 0 ? <span class="dimmer">{t("none")}</span> : number(row[key])),
});

const toldColumns = (receivers: readonly Receiver[] | undefined): readonly Column<Told>[] => [
  {
    key: "receiver",
    title: () => t("to"),
    cell: ({ receiver, title }) =>
      // The target of an action has no record.
      receivers?.some(({ id }) => id === receiver) ? (
        <a class="whole cut" href={href(`/notices/receivers/${receiver}`)} dir="auto">
          <b>{title || receiver}</b>
        </a>
      ) : (
        <b class="cut" dir="auto">
          {title || receiver}
        </b>
      ),
  },
  count("before"),
  count("now"),
];

const KINDS: ReadonlySet<string> = new Set([
  ...["firing", "update", "repeat", "flapping", "settled", "escalation", "digest", "cleared"],
]);
const kindWords = (kind: string): string => (KINDS.has(kind) ? notices(`kind.${kind as "firing"}`) : kind);

const pastColumns = (receivers: readonly Receiver[] | undefined): readonly Column<Past>[] => [
  {
    key: "subject",
    title: () => t("byThis"),
    cell: ({ kind, severity, subject }) => (
      <span class="cell">
        <Mark state={kind === "cleared" ? "ok" : severityState(severity)} />
        <span class="cut" dir="auto" title={subject}>
          <b>{kindWords(kind)}</b> <span class="dim">{subject}</span>
        </span>
      </span>
    ),
  },
  {
    key: "to",
    title: () => t("to"),
    width: "24%",
    rank: 3,
    cell: ({ receiver }) => (
      <span class="dim cut" dir="auto">
        {nameIn(receivers, receiver)}
      </span>
    ),
  },
  {
    key: "date",
    title: () => notices("when"),
    width: TIME_WIDTH,
    isNumber: true,
    cell: ({ date }) => <Time at={date} />,
  },
];
