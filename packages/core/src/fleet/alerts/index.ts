import * as z from "zod";
import type { ConfigOf } from "../../kernel/config/config.ts";
import type { Cradle } from "../../kernel/container.ts";
import { insertMissing, passSeed, seedOnce, writeOnce } from "../../kernel/definitions/seed.ts";
import { definePlugin, type WorkHandler } from "../../kernel/plugins/plugin.ts";
import type { Unit } from "../../kernel/transactions/unit-of-work.ts";
import { object } from "../../wire/schemas/objects.ts";
import { alertCollection, invocationCollection, invocationSearch, stateCollection } from "./collection.ts";
import type { alertsConfig, alertsRetention } from "./config.ts";
import type { AlertEvents } from "./events.ts";
import { Alert, Invocation } from "./model.ts";
import { backtestAlert } from "./operations/backtest.ts";
import { createAlert, deleteAlert, getAlert, getAlerts, PURGE_KIND, updateAlert } from "./operations/definitions.ts";
import { explainAlert } from "./operations/explain.ts";
import {
  acknowledgeAlertInvocation,
  deleteAlertInvocation,
  getAlertInvocations,
  manageAlertInvocationTickets,
  unacknowledgeAlertInvocation,
} from "./operations/invocations.ts";
import { searchAlerts } from "./operations/search.ts";
import { testAlert } from "./operations/test.ts";
import { hasNoInvocations } from "./records.ts";
import { defaultAlerts, laterAlerts } from "./rules/definition/presets.ts";
import { HOOKS_PER_SUBJECT } from "./rules/telling/by-problem.ts";
import { type AlertService, createAlerts } from "./service.ts";
import { endAcknowledgements } from "./services/acknowledge.ts";
import { ABORT_KIND, NOTIFY_KIND } from "./services/evaluation/transitions.ts";
import { purgeWorker, removeInvocation } from "./services/purge.ts";
import { notifyWorker } from "./services/telling/notify.ts";
import { OLDER_THAN_ROUTES } from "./telling.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof alertsConfig> {}
  interface RetentionConfig extends ConfigOf<typeof alertsRetention> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends AlertEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly alerts: AlertService;
  }
}

const AbortOrder = object(() => ({ server: z.string(), reason: z.string() }));

const abortWorker: WorkHandler = async (item, { jobInbox }) => {
  const { server, reason } = AbortOrder.parse(item.payload);
  await jobInbox.abortOn(server, reason);
};

type Deps = Pick<Cradle, "clock" | "config" | "definitions" | "state" | "transact">;

const HOOKS_SEED = "notices.hooks";

/** In installations older than notices, web hooks keep firing once per server until an action says otherwise. */
async function keepHooks(deps: Deps): Promise<void> {
  const isOld = deps.definitions.all(alertCollection).length > 0;
  await writeOnce(deps, HOOKS_SEED, async ({ tx }) => {
    if (isOld) await deps.state.set(tx, HOOKS_PER_SUBJECT, true);
  });
}

const LATER_SEEDS = [...laterAlerts(0).keys(), OLDER_THAN_ROUTES];

async function seedAlerts(deps: Deps): Promise<void> {
  const now = Math.floor(deps.clock.now());
  await seedOnce(deps, "alerts", async (unit) => {
    await insertAlerts(unit, defaultAlerts(now));
    for (const seed of LATER_SEEDS) await passSeed(unit, seed);
  });
  for (const [seed, later] of laterAlerts(now)) await seedOnce(deps, seed, (unit) => insertAlerts(unit, later));
}

async function insertAlerts(unit: Unit, alerts: readonly Alert[]): Promise<void> {
  for (const alert of await insertMissing(unit, alertCollection, alerts)) unit.audit("alert_create", { alert });
}

const hasNoFirings = (_now: number, { storage }: Pick<Cradle, "storage">): boolean => hasNoInvocations(storage);

export const alerts = definePlugin({
  id: "alerts",
  after: ["auth", "activity", "events", "plugins", "groups", "monitors", "silences"],
  collections: [alertCollection, invocationCollection, stateCollection],
  transfer: {
    lists: {
      alerts: {
        ...{ collection: alertCollection, shape: Alert, definition: "alert" },
        seeds: ["alerts", HOOKS_SEED, ...LATER_SEEDS],
      },
    },
    tables: { alerts: { shape: Invocation, newest: "start" } },
    own: [stateCollection],
  },
  searchTables: { alerts: { collection: invocationCollection, table: invocationSearch, remove: removeInvocation } },
  privileges: { acknowledge_alerts: "Acknowledge Alerts" },
  operations: [
    getAlerts,
    getAlert,
    createAlert,
    updateAlert,
    deleteAlert,
    testAlert,
    explainAlert,
    backtestAlert,
    getAlertInvocations,
    searchAlerts,
    manageAlertInvocationTickets,
    deleteAlertInvocation,
    acknowledgeAlertInvocation,
    unacknowledgeAlertInvocation,
  ],
  services: { alerts: createAlerts },
  workers: { [NOTIFY_KIND]: notifyWorker, [ABORT_KIND]: abortWorker, [PURGE_KIND]: purgeWorker },
  loops: [
    {
      name: "alerts.stale",
      everySec: 60,
      on: "leader",
      run: (now, cradle, signal) => cradle.alerts.sweep(now, signal),
    },
    {
      name: "alerts.presence",
      everySec: 60,
      on: "leader",
      run: (now, cradle, signal) => cradle.alerts.presence.watch(now, signal),
    },
    {
      name: "alerts.repeat",
      everySec: 60,
      on: "leader",
      run: (now, cradle, signal) => cradle.alerts.repeat(now, signal),
    },
    {
      name: "alerts.debts",
      everySec: 10,
      on: "leader",
      run: (now, cradle, signal) => cradle.alerts.payDebts(now, signal),
      isIdle: hasNoFirings,
    },
    {
      name: "alerts.acknowledgements",
      everySec: 10,
      on: "leader",
      run: endAcknowledgements,
      isIdle: hasNoFirings,
    },
    {
      name: "alerts.maintenance",
      everySec: 60,
      on: "leader",
      run: (now, cradle, signal) => cradle.alerts.maintain(now, signal),
    },
  ],
  maintenance: { "Alert invocations": (now, { alerts: service }, signal) => service.maintain(now, signal, true) },
  async start(cradle) {
    await keepHooks(cradle);
    await seedAlerts(cradle);
    await cradle.alerts.recover();
  },
});
