import type { Cradle } from "../../../../kernel/container.ts";
import { type Grouping, HOOKS_PER_SUBJECT } from "../../rules/telling/by-problem.ts";

/** Current settings for notifying actions: one notice per problem, or one per server. */
export const groupingOf = ({ config, state }: Pick<Cradle, "config" | "state">): Grouping => ({
  isOn: config.notices.enabled && config.notices.group_actions,
  hooksPerSubject: state.get(HOOKS_PER_SUBJECT) === true,
});
