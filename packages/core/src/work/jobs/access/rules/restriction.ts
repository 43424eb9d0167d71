import type { AccessRequest } from "../../../../directory/access/rules/access.ts";
import type { Job } from "../../model.ts";

/** Category and targets; a workflow has no targets of its own, so its category decides. */
export const restrictionOf = ({ category = "", targets = [], type }: Job): AccessRequest =>
  type === "workflow" ? { category } : { category, targets };
