import { api } from "../calls/session.ts";
import { carried, type ListChange } from "../records/carried.ts";

/** Tags that people gave a job; system tags begin with an underscore. */
export const ownTags = ({ tags }: { readonly tags?: unknown }): readonly string[] =>
  (Array.isArray(tags) ? (tags as string[]) : []).filter((tag) => !tag.startsWith("_"));

/** Applies a change to the current tags of a finished job. Resolves to what it changed in effect, for the undo. */
export async function changeTags(id: string, change: ListChange): Promise<ListChange> {
  const { rows } = await api.searchJobs({ query: `#id:${id}`, limit: 1, select: ["id", "tags"] });
  const before = ownTags(rows[0] ?? {});
  const after = carried(change, before);
  await api.manageJobTags({ id, tags: after });
  return { before, after };
}
