import { useEffect, useState } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { now } from "../../texts/format.ts";
import { Panel } from "../basic/basic.tsx";
import { WhenLoaded } from "../basic/states.tsx";
import { Entries } from "../entries/index.tsx";
import type { Entry, EntryType, EntryTypes, Member } from "../entries/members.ts";
import { Pattern } from "./pattern.tsx";
import { t } from "./texts.ts";
import { type Upcoming, UpcomingRuns } from "./upcoming.tsx";
import { triggerWords } from "./words.ts";

type Key = Parameters<typeof t>[0];

const member = (name: string, kind: Member["kind"], title: Key): Member => ({ name, kind, title: () => t(title) });
const type = (title: Key, members: readonly Member[] = [], start?: EntryType["start"]): EntryType => ({
  title: () => t(title),
  members,
  ...(start ? { start } : {}),
});

/** A whole hour, by default the next one, to begin a new time with. */
const soon = (hours = 1): number => (Math.floor(now.peek() / 3600) + hours) * 3600;
const SPAN = [member("start", "time", "start"), member("end", "time", "end")];
const schedulers = () =>
  (listed("plugins") ?? [])
    .filter((plugin) => plugin.type === "scheduler")
    .map(({ id, title }) => ({ value: id, title }));

const TYPES: EntryTypes = {
  schedule: type("add.schedule", [], () => ({
    years: [],
    months: [],
    days: [],
    weekdays: [],
    hours: [2],
    minutes: [30],
  })),
  interval: type("add.interval", [member("duration", "number", "duration"), member("start", "time", "start")], () => ({
    duration: 3600,
    start: soon(),
  })),
  single: type("add.single", [member("epoch", "time", "start")], () => ({ epoch: soon() })),
  manual: type("add.manual"),
  startup: type("add.startup"),
  catchup: type("add.catchup"),
  range: type("add.range", SPAN, () => ({ start: soon() })),
  blackout: type("add.blackout", SPAN, () => ({ start: soon(), end: soon(2) })),
  delay: type("add.delay", [member("duration", "number", "delayBy")], () => ({ duration: 60 })),
  nth: type("add.nth", [member("every", "number", "every")], () => ({ every: 2 })),
  quiet: type(
    "add.quiet",
    [member("invisible", "check", "invisible"), member("ephemeral", "check", "ephemeral")],
    () => ({ invisible: true }),
  ),
  plugin: type("add.plugin", [{ ...member("plugin_id", "one", "pluginId"), choices: schedulers }]),
};

const words = (trigger: Entry): string => triggerWords(trigger, (id) => titleOf("plugins", id));

interface TriggersEditorProps {
  readonly triggers: readonly Entry[];
  readonly onInput: (triggers: readonly Entry[]) => void;
}

/** When an event runs: its triggers in words, each with its form. */
export const TriggersEditor = ({ triggers, onInput }: TriggersEditorProps) => (
  <Entries
    kind="trigger"
    entries={triggers}
    onInput={onInput}
    types={TYPES}
    words={words}
    addLabel={t("addTitle")}
    none={t("never")}
    form={(entry, put) => (entry.type === "schedule" ? <Pattern trigger={entry} onInput={put} /> : undefined)}
  />
);

const WAIT_MS = 400;

interface PreviewProps {
  readonly triggers: readonly Entry[];
  /** Asks the server when these triggers would run. */
  readonly ask: (triggers: readonly Entry[]) => Promise<Upcoming>;
}

/** The runs that the triggers would make, updated shortly after a change. */
export function Preview({ triggers, ask }: PreviewProps) {
  const [tried, setTried] = useState(triggers);
  useEffect(() => {
    const timer = setTimeout(() => setTried(triggers), WAIT_MS);
    return () => clearTimeout(timer);
  }, [triggers]);
  const found = useLoad(`preview ${JSON.stringify(tried)}`, () => ask(tried));
  const zone = tried.find((trigger) => trigger.type === "schedule" && trigger.enabled)?.["timezone"];
  return (
    <Panel title={t("next")}>
      <WhenLoaded of={found}>
        {(upcoming) => <UpcomingRuns of={upcoming} zone={typeof zone === "string" && zone ? zone : undefined} />}
      </WhenLoaded>
    </Panel>
  );
}
