import { can } from "../../../data/calls/session.ts";
import { titleOf } from "../../../data/records/lists.ts";
import { namesOf, type OnSubject, type SubjectLists, subjectOf, subjectTitle } from "../../../data/records/subjects.ts";
import type { Choice } from "../../../parts/forms/fields.tsx";
import { t } from "../texts.ts";
import { isInReach } from "./reach.ts";

/** Lists of a silence. It matches a firing that is in each list present. */
export interface Names extends SubjectLists {
  readonly alerts?: string[];
  readonly groups?: string[];
}

interface Firing extends OnSubject {
  readonly alert: string;
  /** Groups of the firing's server. */
  readonly groups?: readonly string[];
}

/** What a new silence may be about, from the page that the viewer is on. */
export interface About {
  readonly alert?: string;
  /** The server, or another subject of a firing. */
  readonly of?: OnSubject;
  readonly groups?: readonly string[];
  /** The selected firings. */
  readonly firings?: readonly Firing[];
}

/** One choice of scope, with silences that cover exactly this scope. */
export interface Scope extends Choice {
  readonly silences: readonly Names[];
}

/**
 * Builds silences that match exactly these firings. One per alert, because a single silence would match every named
 * alert on every named server; and one per kind of subject, because a silence with servers and events would match
 * neither.
 */
export function silencesFor(firings: readonly Firing[]): Names[] {
  const groups = Map.groupBy(firings, (firing) => `${firing.alert} ${subjectOf(firing).type}`);
  return [...groups.values()].map((alike): Names => {
    const [first, ...rest] = alike as [Firing, ...Firing[]];
    return { alerts: [first.alert], ...namesOf(first, ...rest) };
  });
}

/** A scope without its title, whose names may have to be loaded first. */
interface Unnamed extends Omit<Scope, "title"> {
  title(): string;
}

function scopesWithin({ alert, of, groups = [], firings = [] }: About): Unnamed[] {
  const rule = (): string => titleOf("alerts", alert);
  const server = (): string => (of ? subjectTitle(of) : "");
  const groupsOf = (id: string) => (of?.server === id ? groups : firings.find((one) => one.server === id)?.groups);
  const scope = (value: string, title: () => string, ...silences: Names[]): Unnamed => ({ value, title, silences });
  return [
    firings.length > 0 && scope("chosen", () => t("scopeChosen", { n: firings.length }), ...silencesFor(firings)),
    alert &&
      of &&
      scope("both", () => t("scopeBoth", { rule: rule(), server: server() }), { alerts: [alert], ...namesOf(of) }),
    of && scope("server", () => t("scopeServer", { server: server() }), namesOf(of)),
    alert && scope("alert", () => t("scopeAlert", { rule: rule() }), { alerts: [alert] }),
    ...groups.map((id) =>
      scope(`group ${id}`, () => t("scopeGroup", { group: titleOf("groups", id) }), { groups: [id] }),
    ),
  ].filter((one) => typeof one === "object" && one.silences.every((names) => isInReach(names, groupsOf))) as Unnamed[];
}

/** The scopes that are within the viewer's reach. */
export const scopesOf = (about: About): Scope[] =>
  scopesWithin(about).map(({ title, ...scope }) => ({ ...scope, title: title() }));

/** True if the viewer may silence at least one of the scopes. Loads no names, unlike `scopesOf`. */
export const maySilence = (about: About): boolean => can("silence_alerts") && scopesWithin(about).length > 0;
