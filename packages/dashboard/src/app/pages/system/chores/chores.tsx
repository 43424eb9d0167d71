import { useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api } from "../../../data/calls/session.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Action } from "../../../parts/basic/button.tsx";
import { confirm } from "../../../parts/basic/dialog.tsx";
import { Select, TextInput } from "../../../parts/forms/fields.tsx";
import { t } from "../texts.ts";
import { Chore } from "./chore.tsx";
import { Deletion } from "./deletion.tsx";
import { Rotation } from "./rotation.tsx";

/** Maintenance actions that are rarely run manually. */
export function Chores() {
  const reset = async (): Promise<void> => {
    if (!(await confirm({ title: t("resetTitle"), text: t("resetWhy"), verb: t("reset") }))) return;
    await act("reset counters", { run: () => api.adminResetDailyStats({}), done: t("resetDone") });
  };
  return (
    <Panel title={t("chores")}>
      <ul class="items">
        <Run name="maintenance" run={() => api.adminRunMaintenance({})} />
        <Run name="optimization" run={() => api.adminRunOptimization({})} />
        <Chore title={t("counters")} help={t("countersHelp")}>
          <Action needs="admin" deed="reset counters" kind="danger" run={reset}>
            {t("reset")}
          </Action>
        </Chore>
        <Rotation />
        <Deletion />
        <TestMail />
        <Broadcast />
      </ul>
    </Panel>
  );
}

interface RunProps {
  readonly name: "maintenance" | "optimization";
  readonly run: () => Promise<unknown>;
}

/** A chore that continues in the background once it is started. */
const Run = ({ name, run }: RunProps) => (
  <Chore title={t(name)} help={t(`${name}Help`)}>
    <Action
      needs="admin"
      deed={name}
      label={`${t("run")}: ${t(name)}`}
      run={() => act(name, { run, done: t("started") })}
    >
      {t("run")}
    </Action>
  </Chore>
);

function TestMail() {
  const [to, setTo] = useState("");
  const [said, setSaid] = useState("");
  const send = async (): Promise<void> => {
    const answer = await act("test mail", { run: () => api.adminSendTestEmail({ to }) });
    if (answer) setSaid(answer.err ? t("mailFailed", { why: answer.description }) : t("mailSent", { to }));
  };
  return (
    <Chore title={t("mail")} help={said || t("mailHelp")}>
      <TextInput label={t("mailTo")} placeholder={t("mailTo")} type="email" value={to} onInput={setTo} />
      <Action
        needs="admin"
        deed="test mail"
        label={`${t("send")}: ${t("mail")}`}
        isDisabled={!to.includes("@")}
        run={send}
      >
        {t("send")}
      </Action>
    </Chore>
  );
}

const TONES = ["info", "warning", "error", "critical"] as const;

function Broadcast() {
  const [message, setMessage] = useState("");
  const [type, setType] = useState<(typeof TONES)[number]>("info");
  const send = async (): Promise<void> => {
    const run = () => api.adminBroadcastMessage({ type, message });
    if (!(await act("broadcast", { run, done: t("broadcastDone") }))) return;
    // Text that was typed while the call was under way is the next message.
    setMessage((shown) => (shown === message ? "" : shown));
  };
  return (
    <Chore title={t("broadcast")} help={t("broadcastHelp")}>
      <Select
        label={t("broadcastType")}
        choices={TONES.map((value) => ({ value, title: t(`tone.${value}`) }))}
        value={type}
        onInput={(value) => setType(value as typeof type)}
      />
      <TextInput label={t("message")} placeholder={t("message")} value={message} onInput={setMessage} />
      <Action
        needs="admin"
        deed="broadcast"
        label={`${t("send")}: ${t("broadcast")}`}
        isDisabled={!message.trim()}
        run={send}
      >
        {t("send")}
      </Action>
    </Chore>
  );
}
