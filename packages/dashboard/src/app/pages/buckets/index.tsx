import { listed } from "../../data/lists.ts";
import {
  changedColumn,
  enabledField,
  idField,
  nameColumn,
  notesField,
  textColumn,
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
  columns: [
    nameColumn("/buckets"),
    textColumn(
      "notes",
      () => t("notes"),
      ({ notes }) => String(notes ?? ""),
    ),
    textColumn(
      "id",
      () => "Id",
      ({ id }) => id,
      { rank: 2, width: "12rem" },
    ),
    changedColumn,
  ],
  fields: [titleField, idField, enabledField, notesField],
  draft: () => ({ title: "", enabled: true }),
  ...callsOf("Bucket", "bucket"),
  history: { type: "buckets", member: "bucket" },
  uses: ({ id }) => usesOf(id, ["bucket_id"], ["events", "alerts", "categories"]),
  Main: Contents,
});
