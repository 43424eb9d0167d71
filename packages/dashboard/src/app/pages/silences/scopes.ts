import { titleOf } from "../../data/lists.ts";
import { isLimited } from "../../data/session.ts";
import type { Choice } from "../../parts/fields.tsx";
import { t } from "./texts.ts";

/** What a silence names; each list that is there must name a firing. */
export interface Names {
  readonly alerts?: string[];
  readonly servers?: string[];
  readonly groups?: string[];
}

interface Firing {
  readonly alert: string;
  readonly server: string;
}

/** What may be kept quiet from where the viewer stands. */
export interface About {
  readonly alert?: string;
  readonly server?: string;
  readonly groups?: readonly string[];
  /** Several firings that were chosen. */
  readonly firings?: readonly Firing[];
}

/** One choice: its silences keep quiet what it says, and nothing else. */
export interface Scope extends Choice {
  readonly silences: readonly Names[];
}

/** Silences for exactly these firings: one for each alert, since one for all would name each alert on every server. */
export function silencesFor(firings: readonly Firing[]): Names[] {
  const servers = new Map<string, Set<string>>();
  for (const { alert, server } of firings) servers.set(alert, (servers.get(alert) ?? new Set()).add(server));
  return [...servers].map(([alert, on]) => ({ alerts: [alert], servers: [...on] }));
}

export function scopesOf({ alert, server, groups = [], firings = [] }: About): Scope[] {
  const rule = titleOf("alerts", alert);
  const machine = titleOf("servers", server);
  const scope = (value: string, title: string, ...silences: Names[]): Scope => ({ value, title, silences });
  return [
    firings.length > 0 && scope("chosen", t("scopeChosen", { n: firings.length }), ...silencesFor(firings)),
    alert && server && scope("both", t("scopeBoth", { rule, server: machine }), { alerts: [alert], servers: [server] }),
    server && scope("server", t("scopeServer", { server: machine }), { servers: [server] }),
    alert && !isLimited() && scope("alert", t("scopeAlert", { rule }), { alerts: [alert] }),
    ...groups.map((id) => scope(`group ${id}`, t("scopeGroup", { group: titleOf("groups", id) }), { groups: [id] })),
  ].filter((one) => typeof one === "object");
}
