import { noticeCollection, problemCollection } from "../../../src/desk/notices/collection.ts";
import { invocation, make, plain, type Sample } from "../sample-makers.ts";
import { MARK, type World } from "../world/world.ts";

const receiver = async ({ api, fresh }: World): Promise<string> => {
  const id = fresh("rc");
  await api.createReceiver({ id, title: "Ops", type: "mail", email: "ops@example.com" });
  return id;
};

const routeMembers = async (world: World) => ({
  title: "All",
  enabled: false,
  steps: [{ after: 0, to: [await receiver(world)] }],
});

const route = async (world: World): Promise<string> => {
  const id = world.fresh("rt");
  await world.api.createRoute({ id, ...(await routeMembers(world)) });
  return id;
};

const ROTA = {
  ...{ title: "Ops", timezone: "UTC" },
  layers: [{ users: ["admin"], turn: "week" as const, every: 1, handover: { at: "09:00" }, start: "2026-01-05" }],
};
const OVERRIDE = { start: 1, end: 2, user: "zoe" };

const rota = async ({ api, fresh }: World): Promise<string> => {
  const id = fresh("ro");
  await api.createRota({ id, ...ROTA });
  return id;
};

/** A problem with one live firing on the server "sa", on a route that was deleted. */
const problem = async (world: World): Promise<string> => {
  const id = world.fresh("pg");
  const member = {
    ...{ invocation: await invocation(world), alert: MARK, server: "sa", severity: "warning", joined: 1 },
    ...{ told: {}, standing: {} },
  };
  await world.storage.write((tx) =>
    tx.collection(problemCollection).insert({
      ...{ id, route: "gone", key: "[]", severity: "warning", opened: 1, closed: null, members: [member] },
      ...{ sides: {}, steps: 0, due: null },
    }),
  );
  return id;
};

const notice = async (world: World, to = "rc"): Promise<string> => {
  const id = world.fresh("no");
  const fired = await invocation(world);
  await world.storage.write((tx) =>
    tx.collection(noticeCollection).insert({
      ...{ id, problem: "pg", receiver: to, route: "rt", seq: 1, kind: "firing", date: 1, new: [fired] },
      ...{ repeated: [], over: [], still: [], severity: "warning", groups: ["ga"], outcome: "sent", text: MARK },
      ...{ attempts: 1, next: 1 },
    }),
  );
  return id;
};

/** Samples of routes, receivers, problems and notices. */
export const NOTICE_SAMPLES: Readonly<Record<string, Sample>> = {
  get_receivers: plain(),
  get_receiver: make(async (world) => ({ id: await receiver(world) })),
  create_receiver: make(({ fresh }) => ({ id: fresh("rc"), title: "New", type: "mail", email: "ops@example.com" })),
  update_receiver: make(async (world) => ({ id: await receiver(world), notes: "Changed" })),
  delete_receiver: make(async (world) => ({ id: await receiver(world) })),
  test_receiver: make(async (world) => ({ id: await receiver(world) })),
  get_routes: plain(),
  get_route: make(async (world) => ({ id: await route(world) })),
  create_route: make(async (world) => ({ id: world.fresh("rt"), ...(await routeMembers(world)) })),
  update_route: make(async (world) => ({ id: await route(world), notes: "Changed" })),
  multi_update_route: make(async (world) => ({ items: [{ id: await route(world), sort_order: 5 }] })),
  delete_route: make(async (world) => ({ id: await route(world) })),
  test_route: plain({ alert: "load_avg_high", server: "sa" }),
  get_rotas: plain(),
  get_rota: make(async (world) => ({ id: await rota(world) })),
  create_rota: make(({ fresh }) => ({ id: fresh("ro"), ...ROTA })),
  update_rota: make(async (world) => ({ id: await rota(world), notes: "Changed" })),
  delete_rota: make(async (world) => ({ id: await rota(world) })),
  add_rota_override: make(async (world) => ({ id: await rota(world), override: OVERRIDE })),
  remove_rota_override: make(async (world) => {
    const id = await rota(world);
    const { override } = await world.api.addRotaOverride({ id, override: OVERRIDE });
    return { id, override };
  }),
  get_problems: make(async (world) => {
    await problem(world);
    return {};
  }),
  get_problem: make(async (world) => ({ id: await problem(world) })),
  acknowledge_problem: make(async (world) => ({ id: await problem(world), comment: "Mine" })),
  // The token is the end of the path, which in-process calls do not have.
  ack: plain(),
  search_notices: make(async (world) => {
    await notice(world);
    return { limit: 100 };
  }),
  get_notice: make(async (world) => ({ id: await notice(world) })),
  resend_notice: make(async (world) => ({ id: await notice(world, await receiver(world)) })),
  explain_notice: make(async (world) => ({ invocation: await invocation(world) })),
  backtest_notices: make(
    async (world) => {
      await invocation(world, "load_avg_high");
      return { from: 0, to: 100 };
    },
    { mark: '"place":"sa"' },
  ),
};
