import type { ComponentChildren } from "preact";
import { can } from "../../data/calls/session.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { listedOne, titleOf } from "../../data/records/lists.ts";
import { Mark, type StateName } from "../../parts/basic/basic.tsx";
import { Time } from "../../parts/time.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { list, when } from "../../texts/format.ts";
import { wasNobodyTold } from "../alerts/state.ts";
import { t } from "../alerts/texts.ts";
import { tookWords } from "../alerts/words.ts";
import { DecisionStep, useDecisions } from "../notice/why.tsx";
import { useOnDuty, useReceivers } from "../notices/data.ts";

type Sent = NonNullable<Invocation["actions"]>[number];
type By = NonNullable<Invocation["untold"]>["by"];

const KNOWN = ["email", "web_hook", "channel", "run_event", "snapshot", "ticket", "plugin"] as const;

/** Describes in words whom an action notifies. */
function nameOf(action: Sent): string {
  const text = (member: string): string => (action[member] ? String(action[member]) : "");
  const type = KNOWN.find((known) => known === action.type);
  if (!type) return action.type;
  const users = Array.isArray(action["users"]) ? action["users"].map(String) : [];
  const to = {
    email: list([...users, ...text("email").split(/\s*,\s*/)].filter(Boolean)),
    web_hook: titleOf("web_hooks", text("web_hook")),
    channel: titleOf("channels", text("channel_id")),
    run_event: titleOf("events", text("event_id")),
    plugin: titleOf("plugins", text("plugin_id")),
    snapshot: "",
    ticket: "",
  }[type];
  return t(`type_${type}`, { to });
}

/** Explains in words why something was not sent. */
function byWords({ kind, id, title }: By): string {
  switch (kind) {
    case "silence":
      return t("bySilence", { title: title || id });
    case "job":
      return t("byJob", { title: title || id });
    case "snooze":
      return t("bySnooze");
    case "acknowledgement":
      return t("byAck", { title: id });
    case "delay":
      return t("byDelay");
    default:
      return t(kind === "dependency" ? "byDependency" : "byInhibition", { title: title || titleOf("alerts", id) });
  }
}

interface StepProps {
  readonly state: StateName;
  readonly title: string;
  readonly at?: number | undefined;
  readonly children?: ComponentChildren;
}

const Step = ({ state, title, at, children }: StepProps) => (
  <li>
    <Mark state={state} />
    <b dir="auto">{title}</b>
    {at === undefined ? <span /> : <Time at={at} />}
    {children && <p dir="auto">{children}</p>}
  </li>
);

/** Notices of the alert: which were sent, which were not, and why. */
export function Told({ invocation }: { readonly invocation: Invocation }) {
  const { actions = [], suppressed = [], acknowledged } = invocation;
  const repeat = listedOne("alerts", invocation.alert)?.repeat_minutes;
  const found = useDecisions(invocation.id);
  const dutyOf = useOnDuty(useReceivers().data.value);
  const decisions = found.data.value ?? [];
  // Until the decisions of the routes are loaded, or if loading fails, the page cannot claim that nobody was notified.
  const areKnown = found.data.value !== undefined;
  const isNobody = areKnown && decisions.every(({ receiver }) => receiver === null);
  return (
    <section class="blk">
      <h3>{t("told")}</h3>
      <ol class="chain">
        {decisions.map((decision) => (
          <DecisionStep
            key={decision.id}
            decision={decision}
            duty={invocation.active && decision.to === null ? dutyOf(decision.receiver) : undefined}
          />
        ))}
        {isNobody && wasNobodyTold(invocation) && <Nobody alert={invocation.alert} />}
        {actions.map((action, index) => (
          <SentStep key={index} action={action} />
        ))}
        {suppressed.map(({ condition, date, last, count, by }) => (
          <Step key={`${condition} ${date}`} state="hush" at={date} title={`${t("notSent")}: ${phase(condition)}`}>
            {byWords(by)} ({t("times", { n: count, at: when(last) })})
          </Step>
        ))}
        <Waiting invocation={invocation} />
        {acknowledged && (
          <Step state="ack" title={tookWords({ ...acknowledged, comment: "" })} at={acknowledged.date}>
            {acknowledged.comment}
          </Step>
        )}
        {repeat && invocation.active && !acknowledged ? <Step state="wait" title={t("repeat", { n: repeat })} /> : null}
      </ol>
    </section>
  );
}

const phase = (condition: string): string => t(condition === "alert_cleared" ? "end" : "begin").toLowerCase();

function SentStep({ action }: { readonly action: Sent }) {
  const code = action["code"];
  const isPending = code === undefined;
  const at = typeof action["date"] === "number" ? action["date"] : undefined;
  return (
    <Step state={isPending ? "wait" : code === 0 || code === false ? "ok" : "fail"} title={nameOf(action)} at={at}>
      {t(action.condition === "alert_cleared" ? "end" : "begin")}: {String(action["description"] ?? "")}
    </Step>
  );
}

function Nobody({ alert }: { readonly alert: string }) {
  const path = `/alert-rules/${alert}`;
  return (
    <Step state="hush" title={t("toldNobody")}>
      {can("edit_alerts") && hasPage(path) && <a href={href(path)}>{t("toldRule")}</a>}
    </Step>
  );
}

/** Notices that are still to be sent: held back by a silence, or retried after a failure. */
const Waiting = ({ invocation: { untold, owed } }: { readonly invocation: Invocation }) => (
  <>
    {untold && (
      <Step state="wait" title={t("untold")} at={untold.since}>
        {t("untoldWhy", { at: when(untold.since), by: byWords(untold.by) })}
      </Step>
    )}
    {owed && (
      <Step state="wait" title={t("owed")}>
        {t("owedWhy")}
      </Step>
    )}
  </>
);
