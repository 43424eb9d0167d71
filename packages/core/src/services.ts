import type { ActivityLog } from "./domains/activity/service.ts";
import type { AlertService } from "./domains/alerts/service.ts";
import type { Bootstrap } from "./domains/api-keys/bootstrap.ts";
import type { EventChecks } from "./domains/events/services/checks.ts";
import type { Scheduler } from "./domains/events/services/scheduler.ts";
import type { ActionRunner } from "./domains/jobs/services/action-runner.ts";
import type { JobEngine } from "./domains/jobs/services/engine.ts";
import type { JobInbox } from "./domains/jobs/services/inbox.ts";
import type { JobLauncher } from "./domains/jobs/services/launcher.ts";
import type { MonitorService } from "./domains/monitors/service.ts";
import type { ServerRegistry } from "./domains/servers/service.ts";
import type { Lookups } from "./domains/system/service.ts";
import type { WebHookSender } from "./domains/web-hooks/services/sender.ts";
import type { Gatekeeper } from "./kernel/gatekeeper.ts";

/** Behaviour that domains offer each other. Plugins widen it by declaration merging. */
export interface Services {
  readonly gatekeeper: Gatekeeper;
  readonly activity: ActivityLog;
  readonly bootstrap: Bootstrap;
  readonly lookups: Lookups;
  readonly servers: ServerRegistry;
  readonly monitors: MonitorService;
  readonly alerts: AlertService;
  readonly eventChecks: EventChecks;
  readonly scheduler: Scheduler;
  readonly jobs: JobEngine;
  readonly jobInbox: JobInbox;
  readonly launcher: JobLauncher;
  readonly actionRunner: ActionRunner;
  readonly webHooks: WebHookSender;
}
