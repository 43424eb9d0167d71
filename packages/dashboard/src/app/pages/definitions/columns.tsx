import { Mark, Swatch } from "../../parts/basic/basic.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { TIME_WIDTH, Time } from "../../parts/time.tsx";
import { href } from "../../router/router.ts";
import { t as common } from "../../texts/words/common.ts";
import type { Definition, DefinitionField } from "./kind.ts";

type DefinitionColumn = Column<Definition>;

/** The name column: title, a mark if the record is disabled, and a colour swatch if `isColoured`. */
export const nameColumn = (path: string, { isColoured = false } = {}): DefinitionColumn => ({
  key: "title",
  title: () => common("title"),
  width: "28%",
  sort: "title",
  cell: (row) => (
    <span class="cell">
      {isColoured && <Swatch color={typeof row["color"] === "string" ? row["color"] : undefined} isKept />}
      <a class="whole cut" href={href(`${path}/${row.id}`)} dir="auto">
        <b>{row.title || row.id}</b>
      </a>
      {row.enabled !== undefined && !row.enabled && <Mark state="abort" label={common("off")} />}
    </span>
  ),
});

/** A column that shows a member as dimmed text. */
export const textColumn = (
  key: string,
  title: () => string,
  text: (row: Definition) => string,
  more: Pick<DefinitionColumn, "width" | "rank" | "isNumber"> = {},
): DefinitionColumn => ({
  key,
  title,
  rank: 3,
  ...more,
  cell: (row) => (
    <span class="dim cut" dir="auto" title={text(row)}>
      {text(row)}
    </span>
  ),
});

export const notesColumn: DefinitionColumn = textColumn(
  "notes",
  () => common("notes"),
  ({ notes }) => String(notes ?? ""),
);
export const idColumn: DefinitionColumn = textColumn(
  "id",
  () => common("id"),
  ({ id }) => id,
  { rank: 2, width: "12rem" },
);
export const changedColumn: DefinitionColumn = {
  key: "modified",
  title: () => common("changed"),
  sort: "modified",
  isNumber: true,
  rank: 3,
  width: TIME_WIDTH,
  cell: ({ modified }) => (typeof modified === "number" && modified > 0 ? <Time at={modified} /> : ""),
};

export const titleField: DefinitionField = {
  member: "title",
  label: () => common("title"),
  kind: "text",
  isRequired: true,
};
export const idField: DefinitionField = {
  member: "id",
  kind: "text",
  isFixed: true,
  label: () => common("id"),
  help: () => common("idHelp"),
};
export const enabledField: DefinitionField = { member: "enabled", label: () => common("enabled"), kind: "check" };
export const notesField: DefinitionField = {
  member: "notes",
  kind: "area",
  label: () => common("notes"),
  help: () => common("notesHelp"),
};
