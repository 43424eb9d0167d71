import { act } from "../../../data/calls/act.ts";
import { inTurns } from "../../../data/calls/in-turns.ts";
import { api, can } from "../../../data/calls/session.ts";
import { ownTags } from "../../../data/jobs/job-tags.ts";
import { listed } from "../../../data/records/lists.ts";
import { Action } from "../../../parts/basic/button.tsx";
import { confirm } from "../../../parts/basic/dialog.tsx";
import { Menu } from "../../../parts/basic/menu.tsx";
import { type Selection, SelectionBar } from "../../../parts/lists/selection.tsx";
import { t } from "../texts.ts";

interface Chosen {
  readonly id?: string | undefined;
  readonly tags?: unknown;
}

interface BulkProps {
  readonly selection: Selection;
  readonly rows: readonly Chosen[];
  readonly reload: () => Promise<void>;
}

async function deleteJobs(jobs: readonly Chosen[]): Promise<true> {
  await inTurns(jobs, async ({ id = "" }) => {
    await api.deleteJob({ id });
  });
  return true;
}

/** Actions on the chosen finished jobs. */
export function Bulk({ selection, rows, reload }: BulkProps) {
  const chosen = rows.filter(({ id }) => id !== undefined && selection.ids.value.has(id));
  const n = chosen.length;
  const write = async (tagsOf: (job: Chosen) => readonly string[]): Promise<true> => {
    await inTurns(chosen, async (job) => {
      await api.manageJobTags({ id: job.id ?? "", tags: [...tagsOf(job)] });
    });
    await reload();
    return true;
  };
  const tag = (id: string, title: string) =>
    act("tag jobs", {
      run: () => write((job) => [...new Set([...ownTags(job), id])]),
      done: t("taggedAll", { n, tag: title }),
      undo: () => write(ownTags),
    });
  const remove = async (): Promise<void> => {
    if (!(await confirm({ title: t("deleteTitle", { n }), text: t("deleteWhy"), verb: t("deleteAll", { n }) }))) return;
    if (await act("delete jobs", { run: () => deleteJobs(chosen), done: t("deletedAll", { n }) })) selection.clear();
    await reload();
  };
  const tags = (listed("tags") ?? []).filter(({ id }) => !id.startsWith("_"));
  return (
    <SelectionBar selection={selection}>
      {can("tag_jobs") && (
        <Menu
          label={t("tagThem", { n })}
          kind="btn"
          items={tags.map(({ id, title }) => ({ title, run: () => tag(id, title) }))}
        >
          {t("tagThem", { n })}
        </Menu>
      )}
      <Action needs="delete_jobs" deed="delete jobs" kind="danger" run={remove}>
        {t("deleteAll", { n })}
      </Action>
    </SelectionBar>
  );
}
