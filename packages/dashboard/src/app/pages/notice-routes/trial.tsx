import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { personName } from "../../data/people/person-name.ts";
import { listed, listedOne, titleOf } from "../../data/records/lists.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Field, Select } from "../../parts/forms/fields.tsx";
import { href } from "../../router/router.ts";
import { list } from "../../texts/format.ts";
import { nameIn, type Receiver, ROUTERS, useReceivers } from "../notices/data.ts";
import { t as notices } from "../notices/texts.ts";
import { t } from "./texts.ts";

const SEVERITIES = ["info", "warning", "critical"] as const;
type Tested = Awaited<ReturnType<typeof api.testRoute>>["routes"][number];

/** Title of a receiver; for a rota with the person on duty: "On duty (mara)". */
function toldName(id: string, receivers: readonly Receiver[] | undefined, duty: Tested["on_duty"]): string {
  const who = duty[id];
  return nameIn(receivers, id) + (who === undefined ? "" : ` (${who ? personName(who) : notices("nobodyOnDuty")})`);
}

const choicesOf = (name: "alerts" | "servers", any: string) => [
  { value: "", title: any },
  ...(listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) })),
];

/** Tests which of the stored routes would take a firing, and why the others would not. */
export function Trial() {
  const [asked, setAsked] = useState({ alert: "", server: "", severity: "warning" });
  const [answer, setAnswer] = useState<readonly Tested[]>();
  const receivers = useReceivers().data.value;
  const lists = [
    ["alert", t("rule"), choicesOf("alerts", t("anyRule"))],
    ["server", t("server"), choicesOf("servers", t("anyServer"))],
    ["severity", t("severity"), SEVERITIES.map((value) => ({ value, title: t(`severity.${value}`) }))],
  ] as const;
  const run = async (): Promise<void> => {
    const tags = listedOne("alerts", asked.alert)?.tags ?? [];
    const groups = listedOne("servers", asked.server)?.groups ?? [];
    const found = await act("try routes", { run: () => api.testRoute({ ...asked, tags, groups }) });
    if (found) setAnswer(found.routes);
  };
  return (
    <Panel title={t("trial")}>
      <div class="inner form">
        {lists.map(([name, label, choices]) => (
          <Field key={name} label={label}>
            {(id) => (
              <Select
                id={id}
                choices={choices}
                value={asked[name]}
                onInput={(next) => setAsked({ ...asked, [name]: next })}
              />
            )}
          </Field>
        ))}
        <div>
          <Action needs={ROUTERS.edit} deed="try routes" icon="play" run={run}>
            {t("try")}
          </Action>
        </div>
      </div>
      {answer && <Answers answer={answer} receivers={receivers} />}
    </Panel>
  );
}

interface AnswersProps {
  readonly answer: readonly Tested[];
  readonly receivers: readonly Receiver[] | undefined;
}

/** For each route, whether it takes the firing, and why. */
const Answers = ({ answer, receivers }: AnswersProps) => (
  <ul class="linked" role="status">
    {answer.map(({ id, title, matches, why, receivers: to, on_duty }) => (
      <li key={id}>
        <Mark state={matches ? "ok" : "abort"} label={t(matches ? "matches" : "matchesNot")} />
        <span class="cut grow" dir="auto">
          <a href={href(`/notices/routes/${id}`)}>{title}</a>
          <span class="dim xs sub">
            {why} {matches && t("wouldTell", { names: list(to.map((one) => toldName(one, receivers, on_duty))) })}
          </span>
        </span>
      </li>
    ))}
  </ul>
);
