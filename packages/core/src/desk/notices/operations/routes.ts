import * as z from "zod";
import { type Caller, requireAccess } from "../../../directory/access/require-access.ts";
import { requireUnlimitedTelling } from "../../../directory/access/require-unlimited.ts";
import type { Alert } from "../../../fleet/alerts/model.ts";
import { readCount } from "../../../fleet/alerts/rules/definition/inputs.ts";
import { severityOf } from "../../../fleet/alerts/rules/definition/severity.ts";
import { KINDS, kindOf } from "../../../fleet/alerts/rules/definition/subjects.ts";
import { watchedAt } from "../../../fleet/alerts/subjects/watched-source.ts";
import type { CommandContext, QueryContext } from "../../../kernel/calls/context.ts";
import { defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { Id, lenient } from "../../../wire/fields/fields.ts";
import { itemsOf } from "../../../wire/items.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { receiverCollection, rotaCollection, routeCollection } from "../collection.ts";
import { Route, type StoredRoute } from "../model.ts";
import { CreateRoute, newRoute, readRoute, routeFault, UpdateRoute } from "../rules/records/records.ts";
import { byOrder, type Firing, mismatch, routesFor } from "../rules/routing/match.ts";
import { newPlace } from "../rules/routing/place.ts";

const routes = new ListedOperations({
  collection: routeCollection,
  record: Route,
  name: "route",
  plural: "routes",
  prefix: "rt",
  most: 200,
  writers: privilege("manage_routes"),
});

/** Requires a caller without limits, since routes decide about firings of all categories and groups. */
function requireRoutes(caller: Caller): void {
  requireAccess(caller, { category: "*" });
  requireUnlimitedTelling(caller, "route");
}

async function checkRoute(route: StoredRoute, { actor, tx }: CommandContext): Promise<void> {
  requireRoutes(actor);
  const fault = routeFault(route);
  if (fault) throw routes.refusal(fault);
  const named = [...new Set(route.steps.flatMap(({ to }) => to))];
  const found = await tx.collection(receiverCollection).getMany(named);
  const missing = named.find((_id, at) => !found[at]);
  if (missing !== undefined) throw routes.refusal(`Receiver not found: ${missing}`);
}

export const getRoutes = routes.list({ summary: "List all routes; they are asked in the order of sort_order." });

export const getRoute = routes.get({ summary: "Read one route.", method: "ANY" });

export const createRoute = routes.create({
  summary:
    "Create a route, the last one before the routes of a fresh store: who is notified of which firings, how they are grouped, and when they are repeated.",
  input: CreateRoute,
  async draft(input, stamp, context) {
    const all = context.tx.collection(routeCollection);
    // The lock keeps two simultaneous creations from getting the same position.
    await context.tx.lock("routes:sort_order");
    const { sort_order, moved } = newPlace((await all.list()).map(readRoute));
    const route = newRoute(input, stamp, sort_order);
    await checkRoute(route, context);
    for (const [id, order] of moved) await all.update(id, (stored) => ({ ...stored, sort_order: order }));
    return route;
  },
});

export const updateRoute = routes.updateAndAnswer({
  summary: "Change a route; live firings are routed again, and sent notices are not repeated.",
  input: UpdateRoute,
  after: (route, _input, context) => checkRoute(route, context),
});

export const multiUpdateRoute = routes.multiUpdate({
  summary: "Put routes into another order.",
  input: looseObject(() => ({ items: itemsOf(z.looseObject({ id: Id, sort_order: z.number() })) })),
  before: (_items, { actor }) => requireRoutes(actor),
  change: (stored, { sort_order }) => ({ ...stored, sort_order }),
});

export const deleteRoute = routes.delete({
  summary: "Remove a route; receivers that it notified still get the ends.",
  before: (_id, { actor }) => requireRoutes(actor),
});

const text = z.string().optional();
const names = z.array(z.string()).default([]);
const Asked = looseObject(() => ({
  alert: text,
  server: text,
  category: text,
  severity: text,
  tags: names,
  groups: names,
  subject: text.describe('Id of a server, type and id of something else ("event:e1"), or a type alone.'),
  /** Unix seconds; absent = now. */
  date: lenient(readCount, z.number().nonnegative()).optional(),
}));

const Tested = object(() => ({
  id: z.string(),
  title: z.string(),
  matches: z.boolean(),
  why: z.string(),
  receivers: z.array(z.string()),
  /** The person on duty at that time, for receivers of type rota; null = nobody. */
  on_duty: z.record(z.string(), z.string().nullable()),
}));

export const testRoute = defineQuery({
  name: "test_route",
  method: "POST",
  summary: "Show which routes a firing would take at a time, why the others would not match, and who is on duty.",
  access: privilege("manage_routes"),
  refuses: ["notfound"],
  input: Asked,
  output: object(() => ({ routes: z.array(Tested) })),
  async handler(asked, context) {
    const { actor, services, tx } = context;
    requireAccess(actor, { category: "*", group: "*" });
    const { date } = asked;
    const firing = await firingFrom(asked, context);
    const all = (await tx.collection(routeCollection).list()).map(readRoute).toSorted(byOrder);
    const isOpen = (route: Route): boolean => services.problems.hours.isOpen(route, date);
    const taken = new Set(routesFor(all, firing, isOpen));
    const routes = all.map(async (route) => {
      const receivers = [...new Set(route.steps.flatMap(({ to }) => to))];
      const told = { receivers, on_duty: await dutyOf(receivers, date, context) };
      const why = taken.has(route) ? "It matches." : whyNot(route, firing, isOpen);
      return { id: route.id, title: route.title, matches: taken.has(route), why, ...told };
    });
    return { routes: await Promise.all(routes) };
  },
});

/** The firing to test. Absent parameters are taken from the alert and its subject. */
async function firingFrom(asked: z.output<typeof Asked>, context: QueryContext): Promise<Firing> {
  const { alerts, servers } = context.services;
  const { alert = "", tags, groups } = asked;
  const known: Partial<Alert> = alerts.definition(alert) ?? {};
  const { type = kindOf(known), watched, ...subject } = await subjectFrom(asked.subject, context);
  const about = { ...subject, ...(asked.server === undefined ? {} : { server: asked.server, place: asked.server }) };
  return {
    ...about,
    alert,
    subject: type,
    category: asked.category ?? watched?.category ?? "",
    severity: asked.severity ?? severityOf(known, watched?.subject),
    tags: tags.length > 0 ? tags : (known.tags ?? []),
    groups: groups.length > 0 ? groups : (servers.get(about.server)?.groups ?? []),
  };
}

async function subjectFrom(text = "", context: QueryContext) {
  const watched = await watchedAt(text, context);
  if (watched) return { watched, type: watched.subject.type, server: "", place: text };
  const type = KINDS.find((kind) => kind === text);
  const server = type === undefined ? text : "";
  return { type, server, place: server };
}

function whyNot(route: Route, firing: Firing, isOpen: (route: Route) => boolean): string {
  if (!route.enabled) return "It is disabled.";
  const list = mismatch(route, firing);
  if (list !== undefined) return `Its list of ${list} does not name the firing.`;
  return isOpen(route) ? "A route before it matches and does not go on." : "It is outside of its hours.";
}

async function dutyOf(receivers: readonly string[], date: number | undefined, { now, services, tx }: QueryContext) {
  const found = await tx.collection(receiverCollection).getMany(receivers);
  const duties: Record<string, string | null> = {};
  for (const receiver of found) {
    const rota = receiver?.rota ? await tx.collection(rotaCollection).get(receiver.rota) : undefined;
    if (receiver && rota) duties[receiver.id] = services.problems.duty.at(rota, date ?? now) ?? null;
  }
  return duties;
}
