import { act } from "../../../data/calls/act.ts";
import { inTurns } from "../../../data/calls/in-turns.ts";
import { api, can } from "../../../data/calls/session.ts";
import { changeTags } from "../../../data/jobs/job-tags.ts";
import { type ListChange, reversed } from "../../../data/records/carried.ts";
import { listed } from "../../../data/records/lists.ts";
import { Action } from "../../../parts/basic/button.tsx";
import { confirm } from "../../../parts/basic/dialog.tsx";
import { Menu } from "../../../parts/basic/menu.tsx";
import { forEachChosen, type Selection, SelectionBar } from "../../../parts/lists/selection.tsx";
import { t } from "../texts.ts";

interface BulkProps {
  readonly selection: Selection;
  readonly reload: () => Promise<void>;
}

/** Changes tags of jobs. Returns the actual change for each job. */
async function tagJobs(changes: ReadonlyMap<string, ListChange>): Promise<ReadonlyMap<string, ListChange>> {
  const made = new Map<string, ListChange>();
  await inTurns([...changes], async ([id, change]) => void made.set(id, await changeTags(id, change)));
  return made;
}

/** Actions on the selected finished jobs, including those that newer jobs have pushed off the list since. */
export function Bulk({ selection, reload }: BulkProps) {
  const n = selection.ids.value.size;
  const tag = (id: string, title: string) => {
    const change = { before: [], after: [id] };
    return act("tag jobs", {
      run: () => tagJobs(new Map([...selection.ids.peek()].map((job) => [job, change]))).finally(reload),
      done: t("taggedAll", { n, tag: title }),
      undo: (made) => tagJobs(new Map([...made].map(([job, done]) => [job, reversed(done)]))).finally(reload),
    });
  };
  const remove = async (): Promise<void> => {
    if (!(await confirm({ title: t("deleteTitle", { n }), text: t("deleteWhy"), verb: t("deleteAll", { n }) }))) return;
    const run = (): Promise<true> => forEachChosen(selection, (id) => api.deleteJob({ id })).then(() => true);
    await act("delete jobs", { run, done: t("deletedAll", { n }) });
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
