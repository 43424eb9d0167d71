import { personName } from "../../data/people/person-name.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { capital, list } from "../../texts/format.ts";
import { idField, nameColumn, notesField, textColumn, titleField } from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { callsOf, type Definition, type PartProps } from "../definitions/kind.ts";
import { type Duty, ROUTERS, type Rota, useDuties } from "../notices/data.ts";
import { nextWords } from "../notices/lists/on-call.tsx";
import { Sections } from "../notices/sections.tsx";
import { Layers } from "./layers.tsx";
import { Overrides } from "./overrides.tsx";
import { Shifts } from "./shifts.tsx";
import { t } from "./texts.ts";

/** A rota with the person on duty, for its list and its page. */
type Shown = Definition & { readonly duty: Duty };

const dutyOf = (row: Definition): Duty => (row as Shown).duty;

const onDuty = ({ on_duty: who }: Duty): string => (who ? personName(who) : t("nobody"));

/** The people on duty now and next, then the shifts of the next weeks. */
function Lead(part: PartProps) {
  const duty = dutyOf(part.row);
  return (
    <>
      <Panel title={t("onDuty")}>
        <p class="say">
          <Mark state={duty.on_duty ? "ok" : "warn"} /> <b dir="auto">{onDuty(duty)}</b>
          {duty.next && `, ${nextWords(duty)}`}
        </p>
      </Panel>
      <Shifts {...part} />
    </>
  );
}

const people = (row: Definition): string =>
  list([...new Set((row["layers"] as Rota["layers"]).flatMap(({ users }) => users.map(personName)))]);

export const Page = pageOf({
  path: "/notices/rotas",
  icon: "people",
  texts: () => ({ title: t("rotas"), create: t("create"), empty: t("empty") }),
  removal: () => t("removal"),
  useRows: () => useDuties().data.value?.map((duty): Shown => ({ ...duty.rota, duty })),
  needs: ROUTERS,
  columns: [
    nameColumn("/notices/rotas"),
    {
      key: "duty",
      title: () => t("onDuty"),
      width: "11rem",
      cell: (row) => (
        <span class="cell">
          <Mark state={dutyOf(row).on_duty ? "ok" : "warn"} label={t("onDuty")} />
          <span class="cut" dir="auto">
            {onDuty(dutyOf(row))}
          </span>
        </span>
      ),
    },
    textColumn(
      "next",
      () => t("next"),
      (row) => capital(nextWords(dutyOf(row))),
      { rank: 2, width: "20rem" },
    ),
    textColumn("people", () => t("users"), people),
  ],
  fields: [
    titleField,
    idField,
    { member: "timezone", kind: "text", isRequired: true, label: () => t("zone"), help: () => t("zoneHelp") },
    { member: "layers", kind: "own", Control: Layers, label: () => t("layers"), help: () => t("layersHelp") },
    notesField,
  ],
  draft: () => ({ title: "", timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, layers: [] }),
  ...callsOf("Rota", "rota"),
  Above: Sections,
  Main: Overrides,
  Lead,
});
