import { useEffect } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { personName } from "../../data/people/person-name.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { now, when } from "../../texts/format.ts";
import type { PartProps } from "../definitions/kind.ts";
import { t } from "./texts.ts";

const WEEKS = 28 * 86_400;

const stateOf = (user: string | undefined, at: number) => (user === undefined ? "warn" : at === 0 ? "ok" : "wait");

/** People on duty in the next four weeks, and gaps without anybody. */
export function Shifts({ row }: PartProps) {
  const found = useLoad(`shifts ${row.id}`, (signal) => {
    const from = Math.floor(now.peek());
    return api.getRota({ id: row.id, from, to: from + WEEKS }, { signal });
  });
  // Shows the stored rota, so changes and overrides appear once they are saved.
  useEffect(() => void found.reload(), [row.revision, row["overrides"]]);
  return (
    <Panel title={t("shifts")}>
      <WhenLoaded of={found} rows={4}>
        {({ shifts, gaps }) => (
          <>
            {gaps.length > 0 && (
              <p class="say">
                <Mark state="warn" /> {t("gaps", { n: gaps.length })}
              </p>
            )}
            <ul class="linked">
              {shifts.map(({ start, end, user }, at) => (
                <li key={start}>
                  <Mark state={stateOf(user, at)} label={t(at === 0 ? "onDuty" : "next")} />
                  <span class="cut grow" dir="auto">
                    {user === undefined ? t("nobody") : personName(user)}
                    <span class="dim xs sub">{t("fromTo", { from: when(start), to: when(end) })}</span>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </WhenLoaded>
    </Panel>
  );
}
