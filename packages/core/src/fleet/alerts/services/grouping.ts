import type { Cradle } from "../../../kernel/container.ts";
import { type Grouping, HOOKS_PER_SUBJECT } from "../rules/by-problem.ts";

/** How actions that tell are carried out now. */
export const groupingOf = ({ config, state }: Pick<Cradle, "config" | "state">): Grouping => ({
  isOn: config.notices.enabled && config.notices.group_actions,
  hooksPerSubject: state.get(HOOKS_PER_SUBJECT) === true,
});
