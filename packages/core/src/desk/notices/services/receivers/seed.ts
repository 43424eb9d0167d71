import { nextSortOrder } from "../../../../directory/categories/rules.ts";
import { OLDER_THAN_ROUTES } from "../../../../fleet/alerts/telling.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { passSeed, seedOnce } from "../../../../kernel/definitions/seed.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { receiverCollection, routeCollection } from "../../collection.ts";
import type { Receiver, Route } from "../../model.ts";
import { defaultReceiver, defaultRoutes } from "../../rules/records/defaults.ts";

const SEED = "routes";

type Deps = Pick<Cradle, "clock" | "config" | "transact">;

/** Gives a fresh store its routes. An older store gets them disabled, because its actions already notify people. */
export async function seedRoutes(deps: Deps): Promise<void> {
  const now = Math.floor(deps.clock.now());
  await seedOnce(deps, OLDER_THAN_ROUTES, async (unit) => {
    await passSeed(unit, SEED);
    const { receivers, routes } = await insertMissing(unit, { now, enabled: false });
    const titles = [...receivers, ...routes].map(({ title }) => `"${title}"`).join(", ");
    const description = `Notices by routes are new. These were added disabled, so nobody new is told: ${titles || "none"}; see Notices to enable them.`;
    unit.audit("notice", { description });
  });
  await seedOnce(deps, SEED, async (unit) => {
    const { receivers, routes } = await insertMissing(unit, { now, enabled: true });
    for (const receiver of receivers) unit.audit("receiver_create", { receiver });
    for (const route of routes) unit.audit("route_create", { route });
  });
}

interface Inserted {
  readonly receivers: readonly Receiver[];
  readonly routes: readonly Route[];
}

/** Inserts missing records; stored ones with the same ids stay, and new routes are sorted after the stored ones. */
async function insertMissing({ tx }: Unit, { now, enabled }: { now: number; enabled: boolean }): Promise<Inserted> {
  const stamp = { username: "admin", now };
  const receiver = defaultReceiver(stamp, enabled);
  const receivers = (await tx.collection(receiverCollection).get(receiver.id)) ? [] : [receiver];
  const known = await tx.collection(routeCollection).list();
  const from = nextSortOrder(known);
  const routes = defaultRoutes(stamp, { enabled, from }).filter(({ id }) => !known.some((route) => route.id === id));
  await tx.collection(receiverCollection).insertMany(receivers);
  await tx.collection(routeCollection).insertMany(routes);
  return { receivers, routes };
}
