import { listed, titleOf } from "../../../data/records/lists.ts";
import type { FilterField } from "../../../parts/query/filter-bar.tsx";
import { t } from "../texts.ts";
import { statusChoices, typeChoices } from "./values.ts";

export const byTitle = (name: "categories" | "tags" | "servers" | "events") => () =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));

/** Fields that a filter chip can name. */
export const fields = (): Readonly<Record<string, FilterField>> => ({
  status: { title: t("field.status"), values: () => statusChoices("") },
  type: { title: t("type"), values: () => typeChoices("") },
  assignees: { title: t("assignees") },
  due: { title: t("due") },
  tags: { title: t("field.tags"), values: byTitle("tags") },
  category: { title: t("field.category"), values: byTitle("categories") },
  server: { title: t("field.server"), values: byTitle("servers") },
  username: { title: t("field.username") },
  cc: { title: t("field.cc") },
  num: { title: t("field.num") },
  created: { title: t("field.created") },
  modified: { title: t("field.modified") },
  subject: { title: t("subject") },
  body: { title: t("field.text") },
  changes: { title: t("field.changes") },
});
