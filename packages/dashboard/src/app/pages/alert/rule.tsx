import type { Invocation } from "../../data/records/counts.ts";
import { listedOne } from "../../data/records/lists.ts";
import { unitOf } from "../../data/series/timeline.ts";
import { Mark } from "../../parts/basic/basic.tsx";
import { unitText } from "../../parts/plot/unit.ts";
import { number, when } from "../../texts/format.ts";
import { severityState } from "../alerts/state.ts";
import { t } from "../alerts/texts.ts";
import type { Explained } from "./read.ts";

/** Formats a reading; a reading of a monitor is shown in the monitor's unit. */
function shown(path: string, value: unknown): string {
  if (value === null || value === undefined) return t("noReading");
  const monitor = listedOne("monitors", /^monitors\.(\w+)$/.exec(path)?.[1]);
  if (typeof value === "number") return monitor ? unitText(value, unitOf(monitor)) : number(value, 2);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

interface RuleProps {
  readonly explained: Explained;
  readonly invocation: Invocation;
}

/** The expression, and the value of each of its names in the minute that was last evaluated. */
export function RuleBlock({ explained, invocation: { exp, severity } }: RuleProps) {
  const { result, readings, count, samples, date, error } = explained;
  const verdict = result ? t("holds") : t("holdsNot");
  return (
    <section class="blk">
      <h3>{t("ruleBlock")}</h3>
      <ul class="expr">
        <li>
          <Mark state={error ? "fail" : result ? severityState(severity) : "ok"} label={verdict} />
          <code dir="auto">{exp}</code>
          <span class="val">
            {verdict}, {t("samplesOf", { count, samples })}
          </span>
        </li>
        {readings.map(({ path, value }) => (
          <li key={path} style={{ "--d": 1 }}>
            <span />
            <code dir="auto">{path}</code>
            <span class="val">
              <b dir="auto">{shown(path, value)}</b>
            </span>
          </li>
        ))}
      </ul>
      {date !== undefined && <p class="foot-note xs dimmer">{t("readAt", { at: when(date) })}</p>}
    </section>
  );
}
