import { useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api } from "../../../data/calls/session.ts";
import type { listed } from "../../../data/records/lists.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Action } from "../../../parts/basic/button.tsx";
import { Segments } from "../../../parts/forms/fields.tsx";
import { type Column, Table } from "../../../parts/lists/table.tsx";
import { TIME_WIDTH, Time } from "../../../parts/time.tsx";
import { duration, now } from "../../../texts/format.ts";
import { t as rulesText } from "../../alert-rules/texts.ts";
import { t } from "../texts.ts";

type Rule = NonNullable<ReturnType<typeof listed<"alerts">>>[number];
type Report = Awaited<ReturnType<typeof api.backtestAlert>>;

interface Row {
  readonly rule: Rule;
  readonly past: Report["invocations"][number];
}

const SPANS = { day: 86_400, week: 7 * 86_400 } as const;
type Span = keyof typeof SPANS;

/** Backtests each rule against the event's stored jobs. Newest firing first. */
async function lookBack(event: string, rules: readonly Rule[], span: Span): Promise<readonly Row[]> {
  const to = Math.floor(now.peek());
  const asked = rules.map(async (rule) => {
    const { invocations } = await api.backtestAlert({ alert: rule.id, event, from: to - SPANS[span], to });
    return invocations.map((past) => ({ rule, past }));
  });
  return (await Promise.all(asked)).flat().sort((left, right) => right.past.fired - left.past.fired);
}

interface LookBackProps {
  readonly event: string;
  readonly rules: readonly Rule[];
}

/** Backtest of the current expectations with the given rules, enabled or not. */
export function LookBack({ event, rules }: LookBackProps) {
  const [span, setSpan] = useState<Span>("day");
  const [rows, setRows] = useState<readonly Row[] | undefined>(undefined);
  const run = async (): Promise<void> => setRows(await act("look back", { run: () => lookBack(event, rules, span) }));
  return (
    <Panel title={t("wouldHave")}>
      <div class="trial">
        <Segments
          label={rulesText("range")}
          choices={(["day", "week"] as const).map((value) => ({ value, title: rulesText(value) }))}
          value={span}
          onInput={(value) => setSpan(value as Span)}
        />
        <Action needs="edit_alerts" deed="look back" run={run}>
          {rulesText("run")}
        </Action>
      </div>
      <div role="status">
        {rows && (
          <p class="say verdict">{rows.length === 0 ? t("wouldNotFire") : t("wouldFire", { n: rows.length })}</p>
        )}
      </div>
      {rows && rows.length > 0 && <Table label={t("wouldHave")} columns={columns} rows={rows} keyOf={keyOf} />}
    </Panel>
  );
}

const columns: readonly Column<Row>[] = [
  {
    key: "rule",
    title: () => rulesText("rule"),
    cell: ({ rule, past }) => (
      <span class="cut" dir="auto" title={past.message}>
        <b>{rule.title}</b> <span class="dim">{past.message}</span>
      </span>
    ),
  },
  {
    key: "fired",
    title: () => rulesText("fired"),
    width: TIME_WIDTH,
    isNumber: true,
    cell: ({ past }) => <Time at={past.fired} />,
  },
  {
    key: "for",
    title: () => rulesText("for"),
    width: "6rem",
    isNumber: true,
    rank: 3,
    cell: ({ past: { fired, cleared } }) => (cleared === undefined ? rulesText("stillOn") : duration(cleared - fired)),
  },
];
const keyOf = ({ rule, past }: Row): string => `${rule.id} ${past.fired}`;
