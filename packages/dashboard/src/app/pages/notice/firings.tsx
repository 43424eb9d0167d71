import type { ComponentChildren } from "preact";
import type { Invocation } from "../../data/records/counts.ts";
import type { OnSubject } from "../../data/records/subjects.ts";
import { Mark, type StateName } from "../../parts/basic/basic.tsx";
import { href } from "../../router/router.ts";
import { nameIn, type Route } from "../notices/data.ts";
import { aboutWords } from "../notices/words.ts";

interface FiringProps {
  readonly firing: OnSubject & Pick<Invocation, "alert">;
  readonly id: string;
  readonly state: StateName;
  readonly label: string;
  readonly note?: ComponentChildren;
}

/** One firing in a list: its state, its rule and subject, and a link to the alert. */
export const Firing = ({ firing, id, state, label, note }: FiringProps) => (
  <li>
    <Mark state={state} label={label} />
    <span class="grow" dir="auto">
      <a href={href(`/alerts/${id}`)}>{aboutWords([firing])}</a>
      <span class="dim xs sub">{note ?? label}</span>
    </span>
  </li>
);

interface RouteLinkProps {
  readonly routes: readonly Route[] | undefined;
  readonly route: string;
}

export const RouteLink = ({ routes, route }: RouteLinkProps) => (
  <a href={href(`/notices/routes/${route}`)}>{nameIn(routes, route)}</a>
);
