import { useLoad } from "../../../data/calls/load.ts";
import { api, can } from "../../../data/calls/session.ts";
import { schedulerIsOn, switchScheduler } from "../../../data/global-state.ts";
import { Mark, type StateName } from "../../../parts/basic/basic.tsx";
import { Action, Button } from "../../../parts/basic/button.tsx";
import { Icon } from "../../../parts/basic/icon.tsx";
import { WhenLoaded } from "../../../parts/basic/states.tsx";
import { Field, TextInput } from "../../../parts/forms/fields.tsx";
import { triggerWords } from "../../../parts/schedule/words.ts";
import { href, setQuery } from "../../../router/router.ts";
import { timeZone, when } from "../../../texts/format.ts";
import { t as frame } from "../../../texts/words/frame.ts";
import { fromInput, toInput } from "../../../texts/zone.ts";
import { type Event, setEnabled } from "../../events/deeds.ts";
import { t, type whyTexts } from "../texts.ts";

type Explained = Awaited<ReturnType<typeof api.explainEventRun>>;
type Reason = Explained["reasons"][number];

export const close = (): void => setQuery({ why: undefined });

/** Explains why an event did or did not run in a minute. */
export function Why({ event, minute }: { readonly event: Event; readonly minute: number }) {
  const found = useLoad(`why ${event.id} ${event.revision} ${schedulerIsOn.value} ${minute}`, () =>
    api.explainEventRun({ id: event.id, minute }),
  );
  return (
    <section id="why" class="panel stay" aria-labelledby="why-title">
      <header>
        <Button kind="bare" icon="left" label={frame("back")} onClick={close} />
        <h2 id="why-title">{t("whyTitle", { time: when(minute) })}</h2>
        <span class="grow" />
        <Button kind="bare" icon="x" label={frame("close")} onClick={close} />
      </header>
      <WhenLoaded of={found}>
        {(explained) => <Answer event={event} explained={explained} reload={found.reload} />}
      </WhenLoaded>
      <Ask minute={minute} />
    </section>
  );
}

const SIGNS: Readonly<Record<Explained["verdict"], StateName>> = {
  ran: "ok",
  waiting: "wait",
  due: "wait",
  not_due: "abort",
  held: "warn",
  not_run: "fail",
};

/** Reasons that only qualify the explanation and explain nothing by themselves. */
const BESIDE: ReadonlySet<string> = new Set(["changed_later", "already_ran", "scheduler_plugin"]);

interface AnswerProps {
  readonly event: Event;
  readonly explained: Explained;
  readonly reload: () => Promise<void>;
}

function Answer({ event, explained, reload }: AnswerProps) {
  const { verdict, reasons, triggers, jobs } = explained;
  const main = reasons.find(({ code }) => !BESIDE.has(code));
  const others = reasons.filter((reason) => reason !== main);
  return (
    <>
      <p class="say">
        <Mark state={SIGNS[verdict]} /> {t(`verdict.${verdict}`)} {main && <b dir="auto">{wordsOf(main)}</b>}
      </p>
      <Remedies event={event} explained={explained} reload={reload} />
      {reasons.length === 0 && <p class="say">{t("noReasons")}</p>}
      {others.length > 0 && (
        <div class="blk">
          <h3>{t("also")}</h3>
          <ul class="chain flat">
            {others.map((reason) => (
              <li key={reason.code + reason.description}>
                <Mark state={BESIDE.has(reason.code) ? "ack" : "warn"} />
                <span dir="auto">{wordsOf(reason)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <TriggersSaid event={event} triggers={triggers} />
      {jobs.map(({ id }) => (
        <p key={id} class="say">
          <a class="more" href={href(`/jobs/${id}`)}>
            {t("toJob", { id })}
          </a>
        </p>
      ))}
    </>
  );
}

const KNOWN: ReadonlySet<string> = new Set<keyof typeof whyTexts>([
  ...(["scheduler_disabled", "scheduler_was_disabled", "event_disabled", "engine_down", "catchup_pending"] as const),
  ...([
    "changed_later",
    "created_later",
    "not_evaluated",
    "no_trigger",
    "range",
    "blackout",
    "scheduler_plugin",
  ] as const),
]);

/**
 * Uses our translated text for a reason that refers to no record, and the server's text otherwise, because it names the
 * record.
 */
const wordsOf = ({ code, description }: Reason): string =>
  KNOWN.has(code) ? t(code as keyof typeof whyTexts) : description;

/** Actions that fix the reason. */
function Remedies({ event, explained: { reasons, verdict }, reload }: AnswerProps) {
  // The page may not know yet that the scheduler was off, and so would not notice that it is on.
  const startScheduler = () => switchScheduler(true, t("schedulerOn")).then(reload);
  const has = (code: string): boolean => reasons.some((reason) => reason.code === code);
  const isMissed = verdict === "not_run" && can("run_jobs");
  if (!has("scheduler_disabled") && !has("event_disabled") && !isMissed) return null;
  return (
    <div class="say acts">
      {has("scheduler_disabled") && (
        <Action needs="admin" deed="scheduler" run={startScheduler}>
          {t("startScheduler")}
        </Action>
      )}
      {has("event_disabled") && (
        <Action needs="edit_events" deed={`enable ${event.id}`} run={() => setEnabled(event, true)}>
          {t("switchOn")}
        </Action>
      )}
      {isMissed && (
        <a class="btn" href={href(`/events/${event.id}/run`)}>
          <Icon name="play" />
          {t("runNow")}
        </a>
      )}
    </div>
  );
}

/** Input that asks about another minute. */
export function Ask({ minute }: { readonly minute: number }) {
  const zone = timeZone.value;
  const ask = (text: string): void => {
    const at = fromInput(text, zone);
    if (at !== undefined && at > 0) setQuery({ why: String(at) });
  };
  return (
    <div class="ask">
      <Field label={t("askMinute")}>
        {(id) => <TextInput id={id} type="datetime-local" value={toInput(minute, zone)} onInput={ask} />}
      </Field>
    </div>
  );
}

interface SaidProps {
  readonly event: Event;
  readonly triggers: Explained["triggers"];
}

/** What each trigger decided about the minute. */
const TriggersSaid = ({ event, triggers }: SaidProps) => (
  <>
    {triggers.length > 0 && (
      <div class="blk">
        <h3>{t("triggersSaid")}</h3>
        <ul class="chain flat">
          {triggers.map(({ index, due, description }) => (
            <li key={index}>
              <Mark state={due ? "ok" : "abort"} label={t(due ? "isDue" : "isNotDue")} />
              <b>{triggerWords(event.triggers?.[index] ?? { type: "" })}</b>
              <p dir="auto">{description}</p>
            </li>
          ))}
        </ul>
      </div>
    )}
  </>
);
