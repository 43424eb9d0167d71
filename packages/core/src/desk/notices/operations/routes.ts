import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import { nextSortOrder } from "../../../directory/categories/rules.ts";
import type { CommandContext } from "../../../kernel/context.ts";
import { ListedOperations } from "../../../kernel/listed-operations.ts";
import { defineQuery, privilege } from "../../../kernel/operation.ts";
import { Id } from "../../../wire/fields.ts";
import { itemsOf } from "../../../wire/items.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { receiverCollection, routeCollection } from "../collection.ts";
import { Route } from "../model.ts";
import { CreateRoute, newRoute, routeFault, UpdateRoute } from "../rules/records/records.ts";
import { type Firing, mismatch, routesFor } from "../rules/routing/match.ts";

const routes = new ListedOperations({
  collection: routeCollection,
  record: Route,
  name: "route",
  plural: "routes",
  prefix: "rt",
  most: 200,
  writers: privilege("manage_routes"),
});

async function checkRoute(route: Route, { actor, tx }: CommandContext): Promise<void> {
  requireAccess(actor, { category: "*", group: "*" });
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
    "Create a route, the last one: which firings are told to whom, how they are grouped, and when they are told again.",
  input: CreateRoute,
  async draft(input, stamp, context) {
    const all = await context.tx.collection(routeCollection).list();
    const route = newRoute(input, stamp, nextSortOrder(all));
    await checkRoute(route, context);
    return route;
  },
});

export const updateRoute = routes.updateAndAnswer({
  summary: "Change a route; live firings are routed anew, and what was told stays told.",
  input: UpdateRoute,
  after: (route, _input, context) => checkRoute(route, context),
});

export const multiUpdateRoute = routes.multiUpdate({
  summary: "Put routes into another order.",
  input: z.looseObject({ items: itemsOf(z.looseObject({ id: Id, sort_order: z.number() })) }),
  before(_items, { actor }) {
    requireAccess(actor, { category: "*", group: "*" });
  },
  change: (stored, { sort_order }) => ({ ...stored, sort_order }),
});

export const deleteRoute = routes.delete({
  summary: "Remove a route; who was told by it still hears of ends.",
  before: (_id, { actor }) => requireAccess(actor, { category: "*", group: "*" }),
});

const names = z.array(z.string()).optional();
const Tested = z.object({
  id: z.string(),
  title: z.string(),
  matches: z.boolean(),
  why: z.string(),
  receivers: z.array(z.string()),
});

export const testRoute = defineQuery({
  name: "test_route",
  method: "POST",
  summary: "Tell which routes a firing would take, and why the others would not match.",
  access: privilege("manage_routes"),
  input: z.looseObject({
    ...{
      alert: z.string().optional(),
      server: z.string().optional(),
      category: z.string().optional(),
      severity: z.string().optional(),
    },
    ...{ subject: z.string().optional(), tags: names, groups: names },
  }),
  output: listOf(Tested),
  async handler(
    { alert = "", server = "", category = "", severity = "warning", subject = "server", tags = [], groups = [] },
    context,
  ) {
    const { actor, services, tx } = context;
    requireAccess(actor, { category: "*", group: "*" });
    const firing: Firing = { alert, server, severity, subject, tags, groups, category, place: server };
    const all = await tx.collection(routeCollection).list();
    const { isOpen } = services.problems.hours;
    const taken = new Set(routesFor(all, firing, isOpen));
    const why = (route: Route): string => {
      if (taken.has(route)) return "It matches.";
      if (!route.enabled) return "It is disabled.";
      const list = mismatch(route, firing);
      if (list !== undefined) return `Its list of ${list} does not name the firing.`;
      return isOpen(route) ? "A route before it matches and does not go on." : "It is outside of its hours.";
    };
    const rows = all.map((route) => ({
      ...{ id: route.id, title: route.title, matches: taken.has(route), why: why(route) },
      receivers: [...new Set(route.steps.flatMap(({ to }) => to))],
    }));
    return asList(rows);
  },
});
