import { can } from "../../../data/calls/session.ts";
import { titleOf } from "../../../data/records/lists.ts";
import { namesOf, type OnSubject, type SubjectLists, subjectOf, subjectTitle } from "../../../data/records/subjects.ts";
import type { Choice } from "../../../parts/forms/fields.tsx";
import { t } from "../texts.ts";
import { isInReach } from "./reach.ts";

/** Lists of a silence; a firing must be in each list that is there. */
export interface Names extends SubjectLists {
  readonly alerts?: string[];
  readonly groups?: string[];
}

interface Firing extends OnSubject {
  readonly alert: string;
  /** Groups of its server. */
  readonly groups?: readonly string[];
}

/** Subject of a new silence, from the viewer's page. */
export interface About {
  readonly alert?: string;
  /** A server, or what a firing is about. */
  readonly of?: OnSubject;
  readonly groups?: readonly string[];
  /** Several firings that were chosen. */
  readonly firings?: readonly Firing[];
}

/** One choice: its silences keep quiet what it says, and nothing else. */
export interface Scope extends Choice {
  readonly silences: readonly Names[];
}

/**
 * Silences for exactly these firings: one for each alert, since one for all would name each alert on every server, and
 * one for each kind of subject, since one with servers and events would fit neither.
 */
export function silencesFor(firings: readonly Firing[]): Names[] {
  const groups = Map.groupBy(firings, (firing) => `${firing.alert} ${subjectOf(firing).type}`);
  return [...groups.values()].map((alike): Names => {
    const [first, ...rest] = alike as [Firing, ...Firing[]];
    return { alerts: [first.alert], ...namesOf(first, ...rest) };
  });
}

/** Choices for the viewer, as far as their reach goes. */
export function scopesOf({ alert, of, groups = [], firings = [] }: About): Scope[] {
  const rule = titleOf("alerts", alert);
  const server = of ? subjectTitle(of) : "";
  const groupsOf = (id: string) => (of?.server === id ? groups : firings.find((one) => one.server === id)?.groups);
  const scope = (value: string, title: string, ...silences: Names[]): Scope => ({ value, title, silences });
  return [
    firings.length > 0 && scope("chosen", t("scopeChosen", { n: firings.length }), ...silencesFor(firings)),
    alert && of && scope("both", t("scopeBoth", { rule, server }), { alerts: [alert], ...namesOf(of) }),
    of && scope("server", t("scopeServer", { server }), namesOf(of)),
    alert && scope("alert", t("scopeAlert", { rule }), { alerts: [alert] }),
    ...groups.map((id) => scope(`group ${id}`, t("scopeGroup", { group: titleOf("groups", id) }), { groups: [id] })),
  ].filter((one) => typeof one === "object" && one.silences.every((names) => isInReach(names, groupsOf))) as Scope[];
}

/** True when the viewer may keep some of it quiet. */
export const maySilence = (about: About): boolean => can("silence_alerts") && scopesOf(about).length > 0;
