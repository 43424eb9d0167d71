import { groupRecords } from "../../../../directory/groups/records.ts";
import { definitionIn } from "../../../../kernel/apart.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import { alertCollection, invocationCollection } from "../../collection.ts";
import type { Alert, Invocation } from "../../model.ts";
import {
  type ActionTarget,
  isByProblem,
  type NoticeResult,
  targetId,
  withNoticeResult,
} from "../../rules/telling/by-problem.ts";
import { groupingOf } from "./grouping.ts";
import { targetsOf } from "./plan.ts";

/** Actions that notify once per problem, instead of once per server (docs/contract/alerts.md#by-problem). */
export interface ActionsByProblem {
  /** True when there is at least one such action. */
  isUsed(): boolean;
  /** The targets that are notified of an invocation, by the current definitions. */
  of(invocation: Invocation): readonly ActionTarget[];
  /** One action that has this target; undefined = there is none any more. */
  named(target: string): Action | undefined;
  /** Targets of the actions of these alerts, of all groups and of the configuration. */
  aimedBy(alerts: ReadonlySet<string>): readonly string[];
  /** Records the result of a notice in the invocations that it named; deleted ones are skipped. */
  note(unit: Pick<Unit, "tx">, invocations: readonly string[], resultOf: (id: string) => NoticeResult): Promise<void>;
}

type Deps = Pick<Cradle, "apart" | "config" | "definitions" | "registry" | "servers" | "state">;

/** Most cached combinations of an alert and the groups of a server. */
const MAX_KNOWN = 10_000;

export function createActionsByProblem(deps: Deps): ActionsByProblem {
  const { config, definitions } = deps;
  const current = createCurrent(deps);
  const named = (): ReadonlyMap<string, Action> => {
    const known = current();
    known.named ??= new Map(allActions(deps).map((action) => [targetId(action), action]));
    return known.named;
  };
  return {
    isUsed: () => config.notices.enabled && config.notices.group_actions && named().size > 0,
    of(invocation) {
      const alert = definitions.get(alertCollection, invocation.alert);
      if (!alert || named().size === 0) return [];
      const groups = deps.servers.anywhere(invocation.server)?.groups ?? invocation.groups;
      const { targets } = current();
      const key = [alert.id, invocation.subject ? "other" : "server", groups, "then", invocation.groups].join(" ");
      const found = targets.get(key) ?? targetsOf(deps, { alert, invocation, groups });
      if (targets.size >= MAX_KNOWN) targets.clear();
      targets.set(key, found);
      return found;
    },
    named: (target) => named().get(target),
    aimedBy: (alerts) => [...new Set(allActions(deps, ({ id }) => alerts.has(id)).map(targetId))],
    async note({ tx }, ids, resultOf) {
      const invocations = tx.collection(invocationCollection);
      for (const stored of await invocations.getMany(ids))
        if (stored)
          await invocations.update(stored.id, (invocation) => withNoticeResult(invocation, resultOf(stored.id)));
    },
  };
}

/** All such actions of alerts, groups and the configuration, whether or not they are ever due. */
function allActions(deps: Deps, isMeant: (alert: Alert) => boolean = () => true): Action[] {
  const { apart, config, definitions } = deps;
  const grouping = groupingOf(deps);
  const telling = (actions: readonly Action[] | null | undefined): Action[] =>
    (actions ?? []).filter((action) => action.enabled && isByProblem(action, grouping));
  const within = (noun: string, id: string, actions: readonly Action[] | null | undefined): Action[] =>
    apart.now(definitionIn("notices", noun, id), () => telling(actions)) ?? [];
  return [
    ...definitions
      .all(alertCollection)
      .filter(isMeant)
      .flatMap(({ id, actions }) => within("Alert", id, actions)),
    ...definitions.all(groupRecords).flatMap(({ id, alert_actions }) => within("Group", id, alert_actions)),
    ...telling(config.alert_universal_actions),
  ];
}

interface Known {
  readonly targets: Map<string, readonly ActionTarget[]>;
  named?: ReadonlyMap<string, Action>;
}

/** Cache of targets; dropped when definitions or the configuration change. */
function createCurrent(deps: Deps): () => Known {
  const { config, definitions } = deps;
  let seen: readonly unknown[] = [];
  let known: Known = { targets: new Map() };
  return () => {
    const { isOn, hooksPerSubject } = groupingOf(deps);
    const revisions = [definitions.revision(alertCollection), definitions.revision(groupRecords)];
    const now = [...revisions, config.alert_universal_actions, isOn, hooksPerSubject];
    if (now.some((each, at) => each !== seen[at])) known = { targets: new Map() };
    seen = now;
    return known;
  };
}
