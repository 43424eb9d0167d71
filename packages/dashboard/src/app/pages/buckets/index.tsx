import { listed } from "../../data/records/lists.ts";
import {
  changedColumn,
  enabledField,
  idColumn,
  idField,
  nameColumn,
  notesColumn,
  notesField,
  titleField,
} from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { callsOf, needsOf } from "../definitions/kind.ts";
import { usesOf } from "../definitions/uses.ts";
import { Contents } from "./contents.tsx";
import { t } from "./texts.ts";

export const Page = pageOf({
  path: "/buckets",
  icon: "box",
  texts: () => ({ title: t("title"), create: t("create"), empty: t("empty") }),
  removal: () => t("removal"),
  useRows: () => listed("buckets"),
  needs: needsOf("buckets"),
  columns: [nameColumn("/buckets"), notesColumn, idColumn, changedColumn],
  fields: [titleField, idField, enabledField, notesField],
  draft: () => ({ title: "", enabled: true }),
  ...callsOf("Bucket", "bucket"),
  history: { type: "buckets", member: "bucket" },
  uses: ({ id }) => usesOf(id, ["bucket_id"], ["events", "alerts", "categories"]),
  Main: Contents,
});
