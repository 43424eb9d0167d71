import { api } from "../../data/calls/session.ts";
import { listed } from "../../data/records/lists.ts";
import { duration } from "../../texts/format.ts";
import { enabledField, idField, nameColumn, notesField, textColumn, titleField } from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { callsOf, type DefinitionField, type PartProps } from "../definitions/kind.ts";
import { categoryField, KEEPERS, serverField, severityField, spanField, tagsField } from "../watched/fields.ts";
import { asSubject, standingColumn } from "../watched/standing.tsx";
import { Watchers } from "../watched/watchers.tsx";
import { Address, fresh } from "./address.tsx";
import { Calls } from "./calls.tsx";
import { t } from "./texts.ts";

const fields: readonly DefinitionField[] = [
  titleField,
  idField,
  enabledField,
  spanField(
    "every",
    () => t("every"),
    () => t("everyHelp"),
  ),
  {
    member: "schedule",
    kind: "text",
    when: ({ schedule }) => typeof (schedule ?? "") === "string",
    label: () => t("schedule"),
    help: () => t("scheduleHelp"),
  },
  {
    member: "timezone",
    kind: "text",
    when: ({ schedule }) => Boolean(schedule),
    label: () => t("timezone"),
    help: () => t("timezoneHelp"),
  },
  spanField(
    "grace",
    () => t("grace"),
    () => t("graceHelp"),
  ),
  spanField(
    "start_grace",
    () => t("startGrace"),
    () => t("startHelp"),
  ),
  spanField(
    "finish_within",
    () => t("finishWithin"),
    () => t("finishHelp"),
  ),
  {
    member: "fail_words",
    kind: "picks",
    isFree: true,
    choices: () => [],
    label: () => t("failWords"),
    help: () => t("failHelp"),
  },
  severityField,
  serverField,
  categoryField,
  tagsField,
  notesField,
];

function Lead({ row }: PartProps) {
  const about = asSubject("heartbeat", row);
  return (
    <>
      <Calls id={row.id} revision={row.revision} about={about} />
      <Address id={row.id} title={row.title} />
      <Watchers about={about} revision={row.revision} />
    </>
  );
}

const calls = callsOf("Heartbeat", "heartbeat");

export const Page = pageOf({
  path: "/heartbeats",
  icon: "pulse",
  texts: () => ({ title: t("title"), create: t("create"), empty: t("empty") }),
  isReached: true,
  removal: () => t("removal"),
  useRows: () => listed("heartbeats"),
  needs: KEEPERS,
  columns: [
    nameColumn("/heartbeats"),
    standingColumn("heartbeat"),
    textColumn(
      "every",
      () => t("every"),
      ({ every, schedule }) =>
        every ? duration(Number(every)) : typeof schedule === "string" ? schedule : t("byTimes"),
      { width: "10rem", isNumber: true },
    ),
  ],
  fields,
  draft: () => ({ title: "", enabled: true, every: 86_400, category: "general", tags: [] }),
  ...calls,
  async create(values) {
    const made = await api.createHeartbeat(values as Parameters<typeof api.createHeartbeat>[0]);
    fresh.value = { id: made.heartbeat.id, url: made.url };
    return made.heartbeat.id;
  },
  Lead,
});
