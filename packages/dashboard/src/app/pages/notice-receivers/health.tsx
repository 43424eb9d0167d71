import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, isLimited } from "../../data/calls/session.ts";
import { Mark, Panel, type StateName } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { when } from "../../texts/format.ts";
import type { Definition, PartProps } from "../definitions/kind.ts";
import { type Receiver, ROUTERS } from "../notices/data.ts";
import { t } from "./texts.ts";

type Health = NonNullable<Receiver["health"]>;
type Answer = Awaited<ReturnType<typeof api.testReceiver>>["result"];

const STATES: Readonly<Record<Health["state"], StateName>> = { ok: "ok", failing: "warn", dead: "crit" };

const healthOf = (row: Definition): Health | undefined => (row as unknown as Receiver).health;

/** Health of a receiver as a mark in a list. */
export function HealthMark({ row }: { readonly row: Definition }) {
  const health = healthOf(row);
  if (!health) return <span class="dimmer">{t("untried")}</span>;
  return (
    <span class="cell">
      <Mark state={STATES[health.state]} />
      <span class="cut">{t(`health.${health.state}`)}</span>
    </span>
  );
}

/** Describes a receiver's health: notices arrive, or since when and why they do not. */
function healthWords({ state, since, last_ok: arrived, last_error, given_up, waiting }: Health): string {
  const last = arrived === undefined ? t("neverArrived") : t("lastArrived", { at: when(arrived) });
  const trouble = [given_up > 0 && t("givenUp", { n: given_up }), last_error && t("lastError", { text: last_error })];
  const parts =
    state === "ok"
      ? [last, arrived === undefined && trouble[1]]
      : [t(`since.${state}`, { at: when(since) }), ...trouble, last];
  return [...parts, waiting > 0 && t("waiting", { n: waiting })].filter(Boolean).join(" ");
}

/** Health of a receiver, since when and why it fails, and the result of a test notice. */
export function HealthPanel({ row }: PartProps) {
  const health = healthOf(row);
  const [answer, setAnswer] = useState<Answer>();
  return (
    <Panel title={t("health")} more={!isLimited() && <Trial id={row.id} onAnswer={setAnswer} />}>
      <p class="say" dir="auto">
        {health && <Mark state={STATES[health.state]} label={t(`health.${health.state}`)} />}{" "}
        {health ? healthWords(health) : t("untriedWhy")}
      </p>
      <div role="status">
        {answer && (
          <p class="say verdict" dir="auto">
            <Mark state={answer.code === 0 ? "ok" : "fail"} /> {answer.description}
          </p>
        )}
      </div>
    </Panel>
  );
}

interface TrialProps {
  readonly id: string;
  readonly onAnswer: (answer: Answer | undefined) => void;
}

/** Sends a test notice immediately. */
function Trial({ id, onAnswer }: TrialProps) {
  const deed = `test receiver ${id}`;
  const run = async (): Promise<void> => {
    onAnswer(undefined);
    onAnswer((await act(deed, { run: () => api.testReceiver({ id }) }))?.result);
  };
  return (
    <Action needs={ROUTERS.edit} deed={deed} kind="row" icon="play" run={run}>
      {t("test")}
    </Action>
  );
}
