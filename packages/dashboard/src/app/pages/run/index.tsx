import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { act, isUnderWay } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { listed, listedOne, titleOf } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Gone, Refused } from "../../frame/gone.tsx";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Outline } from "../../parts/basic/states.tsx";
import { ChosenFiles } from "../../parts/files.tsx";
import { toFirstFault } from "../../parts/first-fault.ts";
import { Check, Field, Select, TextInput } from "../../parts/forms/fields.tsx";
import { type Definition, missing, type Values } from "../../parts/params/definitions.ts";
import { ParamFields } from "../../parts/params/index.tsx";
import { go, href } from "../../router/router.ts";
import { list, now } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import type { Event } from "../events/deeds.ts";
import type { PageProps } from "../page.ts";
import { t } from "./texts.ts";

/** Runs an event once, with other parameters and files. */
export function Page({ params: { id = "" } }: PageProps) {
  const events = listed("events");
  const event = listedOne("events", id);
  useCrumbs([
    { title: t("events"), href: href("/events") },
    { title: event?.title ?? id, href: href(`/events/${id}`) },
    { title: t("run") },
  ]);
  if (!events || !listed("plugins")) return <Outline rows={8} />;
  if (!event) return <Gone>{t("gone", { id })}</Gone>;
  if (!can("run_jobs")) return <Refused why={t("mayNot")} />;
  return <RunForm key={id} event={event} />;
}

interface Choices {
  /** Only values that were entered, because the event may change meanwhile. */
  readonly params: Values;
  readonly files: readonly File[];
  readonly target: string;
  readonly delay: string;
  readonly isTest: boolean;
}

function RunForm({ event }: { readonly event: Event }) {
  const form = useRef<HTMLFormElement>(null);
  const { mustTest, choices, change, fields, plugin, submit, shared, fault } = useRun(event, form);
  return (
    <form
      ref={form}
      class="run-form"
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void submit();
      }}
    >
      <Head title={t("title", { name: event.title })} />
      {mustTest && <p class="banner calm-note">{t(event.enabled ? "noManual" : "isOff")}</p>}
      <div class="stack">
        <Answers event={event} fields={fields} plugin={plugin} given={shared} />
        <Panel title={t("files")} count={choices.files.length} note={t("filesHelp")}>
          <ChosenFiles files={choices.files} onFiles={(files) => change({ files })} />
        </Panel>
        <Panel title={t("thisRun")}>
          <ThisRun event={event} choices={choices} change={change} mustTest={mustTest} />
        </Panel>
      </div>
      <footer class="foot">
        {fault && (
          <p class="wrong" role="alert" dir="auto">
            {fault}
          </p>
        )}
        <Button type="submit" kind="primary" icon="play" isBusy={isUnderWay(`run ${event.id}`)}>
          {t(choices.isTest ? "test" : "start")}
        </Button>
        <a class="btn" href={href(`/events/${event.id}`)}>
          {frame("cancel")}
        </a>
      </footer>
    </form>
  );
}

interface ThisRunProps {
  readonly event: Event;
  readonly choices: Choices;
  readonly change: (part: Partial<Choices>) => void;
  readonly mustTest: boolean;
}

/** Settings for this run only. */
function ThisRun({ event, choices, change, mustTest }: ThisRunProps) {
  const { target, delay, isTest } = choices;
  return (
    <div class="form padded">
      {event.type !== "workflow" && (
        <Where event={event} value={target} onInput={(value) => change({ target: value })} />
      )}
      <Field label={t("delay")} help={t("delayHelp")}>
        {(id, describedBy) => (
          <TextInput
            id={id}
            describedBy={describedBy}
            type="number"
            value={delay}
            onInput={(value) => change({ delay: value })}
          />
        )}
      </Field>
      <Check value={isTest} isDisabled={mustTest} onInput={(value) => change({ isTest: value })}>
        {t("asTest")}
      </Check>
    </div>
  );
}

const targetName = (id: string): string => (listedOne("groups", id) ? titleOf("groups", id) : titleOf("servers", id));

const MINUTE = 60;

/** Sends only values that differ from the event's, so that values locked for or hidden from the viewer are kept. */
function start(event: Event, { params, files, target, delay, isTest }: Choices, refused: (text: string) => void) {
  const minutes = Number(delay);
  const input = {
    id: event.id,
    params: Object.fromEntries(Object.entries(params).filter(([name, value]) => value !== event.params?.[name])),
    ...(target ? { targets: [target] } : {}),
    ...(minutes > 0 ? { state: "start_delay" as const, until: Math.floor(now.peek()) + minutes * MINUTE } : {}),
    ...(isTest ? { test: true } : {}),
  };
  return act(`run ${event.id}`, {
    run: () => api.runEvent(input, files.length > 0 ? { files } : {}),
    done: t("started", { name: event.title }),
    refused,
  });
}

interface AnswersProps {
  readonly event: Event;
  readonly fields: readonly Definition[];
  readonly plugin: readonly Definition[];
  readonly given: Pick<Parameters<typeof ParamFields>[0], "values" | "onInput" | "missing">;
}

/** Fields that the event asks for, and the parameters of its plugin. */
const Answers = ({ event, fields, plugin, given }: AnswersProps) => (
  <>
    {fields.length > 0 && (
      <Panel title={t("fields")}>
        <div class="form padded">
          <ParamFields definitions={fields} {...given} />
        </div>
      </Panel>
    )}
    <Panel title={t("parameters")} note={titleOf("plugins", event.plugin)}>
      <div class="form padded">
        {plugin.length === 0 ? (
          <p class="dim sm">{t("noParameters")}</p>
        ) : (
          <ParamFields definitions={plugin} {...given} />
        )}
      </div>
    </Panel>
  </>
);

/** The entered values, the missing ones, and a function that starts the run. */
function useRun(event: Event, form: RefObject<HTMLFormElement | null>) {
  const isManual = (event.triggers ?? []).some(({ type, enabled }) => type === "manual" && enabled);
  const mustTest = !event.enabled || !isManual;
  const [choices, set] = useState<Choices>({
    params: {},
    files: [],
    target: "",
    delay: "",
    isTest: mustTest,
  });
  const [isTried, setTried] = useState(false);
  const [fault, setFault] = useState<string>();
  const change = (part: Partial<Choices>): void => set((current) => ({ ...current, ...part }));
  const plugin = (listedOne("plugins", event.plugin)?.params ?? []) as readonly Definition[];
  const fields = event.fields as readonly Definition[];
  const values = { ...event.params, ...choices.params };
  const absent = missing([...fields, ...plugin], values);
  const submit = async (): Promise<void> => {
    setTried(true);
    setFault(undefined);
    if (absent.length > 0) {
      await toFirstFault(form.current);
      return;
    }
    const answer = await start(event, choices, setFault);
    if (answer?.id) await go(`/jobs/${answer.id}`);
  };
  const shared = {
    values,
    onInput: (answer: Values) => set((current) => ({ ...current, params: { ...current.params, ...answer } })),
    missing: isTried ? absent : [],
  };
  return { mustTest, choices, change, fields, plugin, submit, shared, fault };
}

interface WhereProps {
  readonly event: Event;
  readonly value: string;
  readonly onInput: (target: string) => void;
}

function Where({ event, value, onInput }: WhereProps) {
  const ids = [...(listed("groups") ?? []).map(({ id }) => id), ...(listed("servers") ?? []).map(({ id }) => id)];
  const asPlanned = { value: "", title: t("asPlanned", { targets: list(event.targets.map(targetName)) }) };
  const choices = [asPlanned, ...ids.map((each) => ({ value: each, title: targetName(each) }))];
  return (
    <Field label={t("where")}>{(id) => <Select id={id} value={value} onInput={onInput} choices={choices} />}</Field>
  );
}
