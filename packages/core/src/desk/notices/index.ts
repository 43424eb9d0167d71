import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import {
  decisionCollection,
  healthCollection,
  noticeCollection,
  problemCollection,
  receiverCollection,
  rotaCollection,
  routeCollection,
} from "./collection.ts";
import type { noticesConfig } from "./config.ts";
import type { NoticeEvents } from "./events.ts";
import { Receiver, Rota, Route } from "./model.ts";
import { ack } from "./operations/ack.ts";
import { backtestNotices } from "./operations/backtest.ts";
import { explainNotice } from "./operations/explain.ts";
import { getNotice, resendNotice, searchNotices } from "./operations/notices.ts";
import { acknowledgeProblem, getProblem, getProblems } from "./operations/problems.ts";
import {
  createReceiver,
  deleteReceiver,
  getReceiver,
  getReceivers,
  testReceiver,
  updateReceiver,
} from "./operations/receivers.ts";
import {
  addRotaOverride,
  createRota,
  deleteRota,
  getRota,
  getRotas,
  removeRotaOverride,
  updateRota,
} from "./operations/rotas.ts";
import {
  createRoute,
  deleteRoute,
  getRoute,
  getRoutes,
  multiUpdateRoute,
  testRoute,
  updateRoute,
} from "./operations/routes.ts";
import { DELIVER_KIND } from "./rules/delivery/delivery.ts";
import { createNoticeService, type NoticeService } from "./service.ts";
import { createNoticeLinks, type NoticeLinks } from "./services/links.ts";
import { forgetOld } from "./services/problems/forget.ts";
import { seedRoutes } from "./services/receivers/seed.ts";
import { deliverWorker } from "./services/sending/deliver.ts";
import { RESULTS_KIND, resultsWorker } from "./services/sending/results.ts";
import { moveStuckLines } from "./services/stuck-lines.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof noticesConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends NoticeEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly problems: NoticeService;
    readonly noticeLinks: NoticeLinks;
  }
  interface KeyedServices {
    readonly noticeLinks: true;
  }
}

const wake = (_event: object, { problems }: { readonly problems: NoticeService }): void => problems.wake();

/** Notifies people and services of firings: routes, receivers, problems and notices. */
export const notices = definePlugin({
  id: "notices",
  after: ["auth", "activity", "channels", "secrets", "web-hooks", "mail", "alerts", "servers"],
  privileges: { manage_routes: "Manage Routes" },
  collections: [
    receiverCollection,
    rotaCollection,
    routeCollection,
    problemCollection,
    noticeCollection,
    decisionCollection,
    healthCollection,
  ],
  transfer: {
    lists: {
      receivers: { collection: receiverCollection, shape: Receiver },
      routes: { collection: routeCollection, shape: Route },
      rotas: { collection: rotaCollection, shape: Rota },
    },
    own: [problemCollection, noticeCollection, decisionCollection, healthCollection],
  },
  operations: [
    getReceivers,
    getReceiver,
    createReceiver,
    updateReceiver,
    deleteReceiver,
    testReceiver,
    getRoutes,
    getRoute,
    createRoute,
    updateRoute,
    multiUpdateRoute,
    deleteRoute,
    testRoute,
    getRotas,
    getRota,
    createRota,
    updateRota,
    deleteRota,
    addRotaOverride,
    removeRotaOverride,
    getProblems,
    getProblem,
    acknowledgeProblem,
    ack,
    searchNotices,
    getNotice,
    resendNotice,
    explainNotice,
    backtestNotices,
  ],
  services: { problems: createNoticeService, noticeLinks: createNoticeLinks },
  workers: { [DELIVER_KIND]: deliverWorker, [RESULTS_KIND]: resultsWorker },
  loops: [
    {
      name: "notices.decide",
      everySec: 1,
      on: "leader",
      run: (now, { problems }, signal) => problems.decide(now, signal),
      isIdle: (now, { problems }) => problems.isIdle(now),
    },
    {
      name: "notices.watchdog",
      everySec: 60,
      on: "leader",
      run: (now, { problems }, signal) => problems.watch(now, signal),
    },
    { name: "notices.stuck", everySec: 300, on: "leader", run: (_now, cradle) => moveStuckLines(cradle) },
    { name: "notices.forget", everySec: 3600, on: "leader", run: forgetOld },
  ],
  on: {
    "alert.fired": wake,
    "alert.cleared": wake,
    "alert.acknowledged": wake,
    "alert.unacknowledged": wake,
    "alert.removed": wake,
    "definitions.changed": wake,
  },
  start: seedRoutes,
});
