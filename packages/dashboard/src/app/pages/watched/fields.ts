import { listed, titleOf } from "../../data/records/lists.ts";
import type { DefinitionField, Kind } from "../definitions/kind.ts";
import { t } from "./texts.ts";

/** Heartbeats and checks share one privilege. */
export const KEEPERS: Kind["needs"] = { create: "manage_checks", edit: "manage_checks", remove: "manage_checks" };

const choicesOf = (name: "categories" | "servers" | "tags") => () =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));

export const categoryField: DefinitionField = {
  member: "category",
  kind: "select",
  choices: choicesOf("categories"),
  label: () => t("category"),
};
export const tagsField: DefinitionField = {
  member: "tags",
  kind: "picks",
  choices: choicesOf("tags"),
  label: () => t("tags"),
  help: () => t("tagsHelp"),
};
/** A field for a duration in seconds. */
export const spanField = (member: string, label: () => string, help?: () => string): DefinitionField => ({
  member,
  label,
  kind: "span",
  ...(help ? { help } : {}),
});

export const serverField: DefinitionField = {
  member: "server",
  kind: "select",
  choices: () => [{ value: "", title: t("noServer") }, ...choicesOf("servers")()],
  label: () => t("server"),
  help: () => t("serverHelp"),
};
const SEVERITIES = ["info", "warning", "critical"] as const;
export const severityField: DefinitionField = {
  member: "severity",
  kind: "select",
  choices: () => [
    { value: "", title: t("ofRule") },
    ...SEVERITIES.map((value) => ({ value, title: t(`severity.${value}`) })),
  ],
  label: () => t("severity"),
  help: () => t("severityHelp"),
};
