import { useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api } from "../../../data/calls/session.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Action } from "../../../parts/basic/button.tsx";
import { Segments } from "../../../parts/forms/fields.tsx";
import { now, timeZone } from "../../../texts/format.ts";
import type { PartProps } from "../../definitions/kind.ts";
import { t } from "../texts.ts";
import { AS_IT_WAS, asked, BesideFields } from "./beside.tsx";
import { type Report, Result } from "./result.tsx";

const SPANS = { day: 86_400, week: 7 * 86_400 } as const;
type Span = keyof typeof SPANS;

/** Members that the engine sets, which the backtest does not take. */
const GIVEN: ReadonlySet<string> = new Set(["id", "username", "created", "modified", "revision", "sort_order"]);

/** Backtest: which notices the route in the form (saved or not) would have sent, optionally with other silences and duties. */
export function LookBack({ row, values }: PartProps) {
  const [span, setSpan] = useState<Span>("week");
  const [beside, setBeside] = useState(AS_IT_WAS);
  const [report, setReport] = useState<Report>();
  const run = async (): Promise<void> => {
    const route = Object.fromEntries(Object.entries(values).filter(([member]) => !GIVEN.has(member)));
    const to = Math.floor(now.peek());
    const time = { from: to - SPANS[span], to };
    const question = { ...time, timezone: timeZone.peek(), routes: { [row.id]: route }, ...asked(beside, time) };
    setReport(await act("look back at notices", { run: () => api.backtestNotices(question) }));
  };
  return (
    <Panel title={t("lookBack")} note={t("lookBackHelp")}>
      <BesideFields value={beside} onInput={setBeside} />
      <div class="trial">
        <Segments
          label={t("span")}
          choices={(["day", "week"] as const).map((value) => ({ value, title: t(value) }))}
          value={span}
          onInput={(value) => setSpan(value as Span)}
        />
        <Action needs="edit_alerts" deed="look back at notices" run={run}>
          {t("look")}
        </Action>
      </div>
      <div role="status">{report && <Result report={report} route={row.id} />}</div>
    </Panel>
  );
}
