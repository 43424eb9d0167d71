import { personName } from "../../../data/people/person-name.ts";
import { Mark, Panel } from "../../../parts/basic/basic.tsx";
import { Empty, WhenLoaded } from "../../../parts/basic/states.tsx";
import { href } from "../../../router/router.ts";
import { when } from "../../../texts/format.ts";
import { type Duty, useDuties } from "../data.ts";
import { t } from "../texts.ts";

/** Who is on duty in each rota, and who is next. */
export function OnCall() {
  const duties = useDuties();
  return (
    <Panel title={t("onCall")}>
      <WhenLoaded of={duties} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{t("noRotas")}</Empty>
          ) : (
            <ul class="linked">
              {rows.map((duty) => (
                <li key={duty.rota.id}>
                  <Mark state={duty.on_duty ? "ok" : "warn"} label={t("onCall")} />
                  <span class="cut grow" dir="auto">
                    <b>{duty.on_duty ? personName(duty.on_duty) : t("nobodyOnDuty")}</b>{" "}
                    <a class="dim" href={href(`/notices/rotas/${duty.rota.id}`)}>
                      {duty.rota.title}
                    </a>
                    {duty.next && <span class="dim xs sub">{nextWords(duty)}</span>}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

/** For example "then bob from Mon, 09:00". */
export const nextWords = ({ next }: Duty): string =>
  next ? t(next.user ? "thenWho" : "thenNobody", { who: personName(next.user ?? ""), at: when(next.start) }) : "";
