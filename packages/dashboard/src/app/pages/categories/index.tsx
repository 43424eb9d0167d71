import { listed } from "../../data/records/lists.ts";
import { ActionsEditor } from "../../parts/editors/actions-editor.tsx";
import { LimitsEditor } from "../../parts/editors/limits-editor.tsx";
import type { Entry } from "../../parts/entries/members.ts";
import {
  changedColumn,
  enabledField,
  idField,
  nameColumn,
  notesColumn,
  notesField,
  textColumn,
  titleField,
} from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { type ControlProps, callsOf, needsOf } from "../definitions/kind.ts";
import { usesOf } from "../definitions/uses.ts";
import { t } from "./texts.ts";

const COLORS = [
  ...(["plain", "red", "green", "blue", "skyblue", "yellow", "purple", "orange", "fire", "tangerine"] as const),
  ...(["amber", "gold", "lemon", "lime", "grass", "mint", "emerald", "aqua", "teal", "turquoise", "cyan"] as const),
  ...(["ice", "azure", "sapphire", "indigo", "lavender", "violet", "orchid", "magenta", "fuchsia"] as const),
  ...(["hotpink", "pink", "blush", "rose"] as const),
];

const colors = () => COLORS.map((value) => ({ value, title: t(`color.${value}`) }));

const entriesOf = (value: unknown): readonly Entry[] => (Array.isArray(value) ? value : []);

const Actions = ({ value, onInput, isDisabled }: ControlProps) => (
  <fieldset class="field" disabled={isDisabled}>
    <ActionsEditor actions={entriesOf(value)} onInput={onInput} />
  </fieldset>
);

const Limits = ({ value, onInput, isDisabled }: ControlProps) => (
  <fieldset class="field" disabled={isDisabled}>
    <LimitsEditor limits={entriesOf(value)} onInput={onInput} />
  </fieldset>
);

const eventsOf = (id: string) => (listed("events") ?? []).filter(({ category }) => category === id);

export const Page = pageOf({
  path: "/categories",
  icon: "stack",
  texts: () => ({ title: t("title"), create: t("create"), empty: t("empty") }),
  removal: ({ id }) => (eventsOf(id).length > 0 ? t("stillUsed", { n: eventsOf(id).length }) : t("removal")),
  useRows: () => listed("categories"),
  needs: needsOf("categories"),
  columns: [
    nameColumn("/categories", { isColoured: true }),
    notesColumn,
    textColumn(
      "events",
      () => t("events"),
      ({ id }) => String(eventsOf(id).length),
      { width: "7rem", isNumber: true, rank: undefined },
    ),
    changedColumn,
  ],
  fields: [
    titleField,
    idField,
    enabledField,
    { member: "color", label: () => t("color"), kind: "select", choices: colors },
    notesField,
    { member: "actions", label: () => t("actions"), help: () => t("actionsHelp"), kind: "own", Control: Actions },
    { member: "limits", label: () => t("limits"), help: () => t("limitsHelp"), kind: "own", Control: Limits },
  ],
  draft: () => ({ title: "", enabled: true, color: "plain", actions: [], limits: [] }),
  ...callsOf("Category", "category"),
  history: { type: "categories", member: "category" },
  uses: ({ id }) => usesOf(id, ["category", "categories"], ["events", "secrets", "roles"]),
});
