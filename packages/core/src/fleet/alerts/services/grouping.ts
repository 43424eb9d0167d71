import type { Cradle } from "../../../kernel/container.ts";
import type { Grouping } from "../rules/by-problem.ts";

/** The key of the state that the first start of a newer version sets in installations from before. */
export const HOOKS_PER_SUBJECT = "notices.hooks_per_subject";

/** How actions that tell are carried out now. */
export const groupingOf = ({ config, state }: Pick<Cradle, "config" | "state">): Grouping => ({
  isOn: config.notices.enabled && config.notices.group_actions,
  hooksPerSubject: state.get(HOOKS_PER_SUBJECT) === true,
});
