import { listed, titleOf } from "../../data/records/lists.ts";
import { bytes, duration, number } from "../../texts/format.ts";
import { Entries } from "../entries/index.tsx";
import type { Entry, EntryType, EntryTypes, Member } from "../entries/members.ts";
import { t } from "../entries/texts.ts";

const num = (name: string, title: Parameters<typeof t>[0]): Member => ({ name, kind: "number", title: () => t(title) });
const amount = (title: Parameters<typeof t>[0]) => num("amount", title);
const seconds = num("duration", "seconds");

/** What happens when a running job exceeds a limit. */
const EFFECTS: readonly Member[] = [
  { name: "abort", kind: "check", title: () => t("abort") },
  { name: "email", kind: "text", title: () => t("email") },
  {
    name: "web_hook",
    kind: "one",
    title: () => t("webHook"),
    choices: () => [
      { value: "", title: t("none") },
      ...(listed("web_hooks") ?? []).map(({ id }) => ({ value: id, title: titleOf("web_hooks", id) })),
    ],
  },
  { name: "snapshot", kind: "check", title: () => t("snapshot") },
];

const type = (title: Parameters<typeof t>[0], members: readonly Member[], start?: EntryType["start"]): EntryType => ({
  title: () => t(title),
  members,
  ...(start ? { start } : {}),
});

const CONDITIONS = ["start", "complete", "success", "error", "user", "warning", "critical", "abort"] as const;

const conditionTitle = (condition: unknown): string =>
  CONDITIONS.includes(condition as "start") ? t(`on.${condition as "start"}`) : String(condition ?? "");

export const LIMIT_TYPES: EntryTypes = {
  job: type("limit.job", [amount("jobsAtOnce"), num("weight", "weight")], () => ({ amount: 1 })),
  queue: type("limit.queue", [amount("jobsWaiting")], () => ({ amount: 10 })),
  retry: type("limit.retry", [amount("retries"), seconds], () => ({ amount: 3, duration: 60 })),
  time: type("limit.time", [seconds, ...EFFECTS], () => ({ duration: 3600, abort: true })),
  log: type("limit.log", [amount("bytes"), ...EFFECTS], () => ({ amount: 10_000_000, abort: true })),
  mem: type("limit.mem", [amount("bytes"), seconds, ...EFFECTS], () => ({
    amount: 1_000_000_000,
    duration: 60,
    abort: true,
  })),
  cpu: type("limit.cpu", [amount("percent"), seconds, ...EFFECTS], () => ({ amount: 100, duration: 60, abort: true })),
  day: type(
    "limit.day",
    [
      {
        name: "condition",
        kind: "one",
        title: () => t("counted"),
        choices: () => CONDITIONS.map((value) => ({ value, title: conditionTitle(value) })),
      },
      amount("perDay"),
    ],
    () => ({ condition: "complete", amount: 100 }),
  ),
  file: type("limit.file", [
    amount("files"),
    num("size", "bytes"),
    { name: "accept", kind: "text", title: () => t("endings") },
  ]),
  tag: type("limit.tag", [amount("tags")], () => ({ amount: 5 })),
};

const WORDS: Readonly<Record<string, (limit: Entry) => string>> = {
  job: ({ amount: n }) => t("says.job", { n: Number(n) }),
  queue: ({ amount: n }) => t("says.queue", { n: Number(n ?? 0) }),
  retry: ({ amount: n, duration: wait }) => t("says.retry", { n: Number(n ?? 0), time: duration(Number(wait ?? 0)) }),
  time: ({ duration: most }) => t("says.time", { time: duration(Number(most)) }),
  log: ({ amount: most }) => t("says.log", { size: bytes(Number(most)) }),
  mem: ({ amount: most }) => t("says.mem", { size: bytes(Number(most)) }),
  cpu: ({ amount: most }) => t("says.cpu", { n: number(Number(most)) }),
  day: ({ amount: n, condition }) => t("says.day", { n: Number(n ?? 0), what: conditionTitle(condition) }),
};

export function limitWords(limit: Entry): string {
  const known = Object.hasOwn(WORDS, limit.type) ? WORDS[limit.type] : undefined;
  const said = known?.(limit) ?? LIMIT_TYPES[limit.type]?.title() ?? limit.type;
  return limit["abort"] ? t("thenAborts", { text: said }) : said;
}

interface LimitsEditorProps {
  readonly limits: readonly Entry[];
  readonly onInput: (limits: readonly Entry[]) => void;
}

/** Edits the limits of an event, a category or the configuration. */
export const LimitsEditor = ({ limits, onInput }: LimitsEditorProps) => (
  <Entries
    kind="limit"
    entries={limits}
    onInput={onInput}
    types={LIMIT_TYPES}
    words={limitWords}
    addLabel={t("addLimit")}
    none={t("noLimits")}
  />
);
