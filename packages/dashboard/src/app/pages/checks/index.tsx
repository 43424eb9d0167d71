import { listed } from "../../data/lists.ts";
import { duration } from "../../texts/format.ts";
import { enabledField, idField, nameColumn, notesField, textColumn, titleField } from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { callsOf, type DefinitionField } from "../definitions/kind.ts";
import { categoryField, KEEPERS, spanField, tagsField } from "../watched/fields.ts";
import { standingColumn } from "../watched/standing.tsx";
import { Side } from "./results.tsx";
import { t } from "./texts.ts";

const METHODS = ["GET", "HEAD"].map((value) => ({ value, title: value }));
const fields: readonly DefinitionField[] = [
  titleField,
  idField,
  enabledField,
  { member: "url", label: () => t("url"), kind: "text", isRequired: true },
  { member: "method", label: () => t("method"), kind: "select", choices: () => METHODS },
  spanField("every", () => t("every")),
  spanField("timeout", () => t("timeout")),
  { member: "retries", label: () => t("retries"), help: () => t("retriesHelp"), kind: "number" },
  {
    ...{ member: "status", kind: "picks", isFree: true, choices: () => [] },
    ...{ label: () => t("status"), help: () => t("statusHelp") },
  },
  { member: "contains", label: () => t("contains"), kind: "text" },
  { member: "not_contains", label: () => t("containsNot"), kind: "text" },
  { member: "max_ms", label: () => t("maxMs"), help: () => t("maxMsHelp"), kind: "number" },
  { member: "follow", label: () => t("follow"), kind: "check" },
  { member: "verify", label: () => t("verify"), kind: "check" },
  { member: "warn_days", label: () => t("warnDays"), kind: "number" },
  { member: "crit_days", label: () => t("critDays"), kind: "number" },
  categoryField,
  tagsField,
  notesField,
];

export const Page = pageOf({
  path: "/checks",
  icon: "pulse",
  texts: () => ({ title: t("title"), create: t("create"), empty: t("empty") }),
  removal: () => t("removal"),
  useRows: () => listed("checks"),
  needs: KEEPERS,
  columns: [
    nameColumn("/checks"),
    standingColumn("check"),
    textColumn(
      "url",
      () => t("url"),
      ({ url }) => String(url),
    ),
    textColumn(
      "every",
      () => t("every"),
      ({ every }) => duration(Number(every)),
      { width: "8rem", isNumber: true },
    ),
  ],
  fields,
  draft: () => ({
    ...{ title: "", enabled: true, type: "http", url: "https://", method: "GET", every: 60, timeout: 10, retries: 2 },
    ...{ status: ["200-399"], follow: true, verify: true, warn_days: 21, crit_days: 7, category: "general", tags: [] },
  }),
  ...callsOf("Check", "check"),
  Side,
});
