import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { listed } from "../../data/records/lists.ts";
import { Pairs, Panel } from "../../parts/basic/basic.tsx";
import { href } from "../../router/router.ts";
import {
  changedColumn,
  idColumn,
  idField,
  nameColumn,
  notesColumn,
  notesField,
  titleField,
} from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { callsOf, needsOf, type PartProps } from "../definitions/kind.ts";
import { usesOf } from "../definitions/uses.ts";
import { t } from "./texts.ts";

/** How often the tag was used. */
function Side({ row: { id } }: PartProps) {
  const found = useLoad(`tag ${id}`, async (signal) => {
    const query = `tags:${id}`;
    const [jobs, tickets] = await Promise.all([
      api.searchJobs({ query, limit: 1 }, { signal }),
      api.searchTickets({ query, limit: 1, compact: true }, { signal }),
    ]);
    return { jobs: jobs.list.length, tickets: tickets.list.length };
  });
  const { jobs, tickets } = found.data.value ?? {};
  const q = `tags:${id}`;
  return (
    <Panel title={t("given")}>
      <Pairs
        facts={[
          { name: t("jobs"), value: <a href={href("/jobs", { q })}>{jobs ?? "…"}</a> },
          { name: t("tickets"), value: <a href={href("/tickets", { q })}>{tickets ?? "…"}</a> },
        ]}
      />
    </Panel>
  );
}

export const Page = pageOf({
  path: "/tags",
  icon: "tag",
  texts: () => ({ title: t("title"), create: t("create"), empty: t("empty") }),
  removal: () => t("removal"),
  useRows: () => listed("tags"),
  needs: needsOf("tags"),
  columns: [nameColumn("/tags", { isColoured: true }), notesColumn, idColumn, changedColumn],
  fields: [titleField, idField, notesField],
  draft: () => ({ title: "" }),
  ...callsOf("Tag", "tag"),
  history: { type: "tags", member: "tag" },
  uses: ({ id }) => usesOf(id, ["tags"], ["events", "alerts", "categories"]),
  Side,
});
