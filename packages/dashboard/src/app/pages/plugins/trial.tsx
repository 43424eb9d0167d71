import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Field, Select, TextInput } from "../../parts/forms/fields.tsx";
import type { Definition as Parameter } from "../../parts/params/definitions.ts";
import { ParamFields } from "../../parts/params/index.tsx";
import { timeZone } from "../../texts/format.ts";
import { fromInput } from "../../texts/zone.ts";
import type { PartProps } from "../definitions/kind.ts";
import { t } from "./texts.ts";

/** Test run of a plugin without an event, which shows the output before the plugin is used. */
export function Trial({ row }: PartProps) {
  if (!can("edit_plugins") || !row["enabled"]) return null;
  if (row["type"] === "monitor") return <MonitorTrial row={row} />;
  if (row["type"] === "scheduler") return <SchedulerTrial row={row} />;
  return null;
}

type RowProps = Pick<PartProps, "row">;

function MonitorTrial({ row: { id } }: RowProps) {
  const servers = (listed("servers") ?? []).map((server) => ({
    value: server.id,
    title: titleOf("servers", server.id),
  }));
  const [chosen, setChosen] = useState("");
  const [answer, setAnswer] = useState<Outcome>();
  const server = chosen || (servers[0]?.value ?? "");
  const run = async (): Promise<void> => {
    setAnswer(undefined);
    const got = await act(`try ${id}`, {
      run: () => api.testMonitorPlugin({ id, server }),
      refused: (text) => setAnswer(refusal(text)),
    });
    if (got) setAnswer({ isBad: isFault(got.result), result: got.result, errors: got.stderr ?? "" });
  };
  return (
    <Panel title={t("trial")}>
      <div class="inner stack">
        <p class="dim sm">{t("trialMonitorHelp")}</p>
        <Field label={t("server")}>
          {(field) => <Select {...{ id: field, choices: servers, value: server, onInput: setChosen }} />}
        </Field>
        <Run id={id} isDisabled={!server} run={run} />
        <Shown of={answer} />
      </div>
    </Panel>
  );
}

function SchedulerTrial({ row }: RowProps) {
  const { id } = row;
  const definitions = (row["params"] ?? []) as readonly Parameter[];
  const [params, setParams] = useState<Readonly<Record<string, unknown>>>({});
  const [at, setAt] = useState("");
  const [answer, setAnswer] = useState<Outcome>();
  const run = async (): Promise<void> => {
    setAnswer(undefined);
    const epoch = at ? fromInput(at, timeZone.value) : undefined;
    const order = { id, params, timezone: timeZone.value, ...(epoch === undefined ? {} : { epoch }) };
    const got = await act(`try ${id}`, {
      run: () => api.testSchedulerPlugin(order),
      refused: (text) => setAnswer(refusal(text)),
    });
    if (got)
      setAnswer({
        isBad: got.err === true,
        words: decision(got.data),
        result: got.err ? got.description : (got.data ?? got.stdout),
        errors: got.stderr,
      });
  };
  return (
    <Panel title={t("trial")}>
      <div class="inner stack">
        <p class="dim sm">{t("trialSchedulerHelp")}</p>
        <ParamFields {...{ definitions, values: params, onInput: (change) => setParams({ ...params, ...change }) }} />
        <Field label={t("minute")} help={t("minuteHelp")}>
          {(field, describedBy) => (
            <TextInput {...{ id: field, describedBy, type: "datetime-local", value: at, onInput: setAt }} />
          )}
        </Field>
        <Run id={id} run={run} />
        <Shown of={answer} />
      </div>
    </Panel>
  );
}

/**
 * Whether the plugin would start the event, according to the first item of its answer; undefined if the answer has
 * another shape.
 */
function decision(data: unknown): string | undefined {
  const { items } = (data ?? {}) as { readonly items?: unknown };
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const [first] = items as readonly unknown[];
  const isOn = typeof first === "object" && first !== null ? (first as { launch?: unknown }).launch : first;
  return t(isOn ? "wouldStart" : "wouldNotStart");
}

interface RunProps {
  readonly id: string;
  readonly isDisabled?: boolean;
  readonly run: () => Promise<void>;
}

const Run = ({ id, isDisabled = false, run }: RunProps) => (
  <div>
    <Action needs="edit_plugins" deed={`try ${id}`} icon="play" isDisabled={isDisabled} run={run}>
      {t("tryIt")}
    </Action>
  </div>
);

interface Outcome {
  readonly isBad: boolean;
  /** What the answer means, if known. */
  readonly words?: string | undefined;
  readonly result: unknown;
  readonly errors: string;
}

const refusal = (text: string): Outcome => ({ isBad: true, result: text, errors: "" });

/** Agents report a failure as text. */
const isFault = (result: unknown): boolean => typeof result === "string" && result.startsWith("Error: ");

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2)) ?? "";

const Shown = ({ of }: { readonly of: Outcome | undefined }) => (
  <div role="status" class="stack outcome">
    {of && (
      <>
        <p class="cell">
          <Mark state={of.isBad ? "fail" : "ok"} />
          <b>{of.isBad ? t("trialFailed") : t("trialWrote")}</b>
        </p>
        {of.words && <p>{of.words}</p>}
        <pre class="code" tabIndex={0} aria-label={t("output")} dir="auto">
          {textOf(of.result) || t("nothingWritten")}
        </pre>
        {of.errors && (
          <>
            <b>{t("errors")}</b>
            <pre class="code" tabIndex={0} aria-label={t("errors")} dir="auto">
              {of.errors}
            </pre>
          </>
        )}
      </>
    )}
  </div>
);
