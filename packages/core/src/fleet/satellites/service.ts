import type { Cradle } from "../../kernel/container.ts";
import { createEnrolment, type Enrolment } from "./services/enrolment.ts";
import { createPackages, type Packages } from "./services/packages.ts";
import { createReleases, type Releases } from "./services/releases.ts";
import { createUpgrades, type Upgrades } from "./services/upgrades.ts";

/** Installation and upgrades of agents. */
export interface Satellites {
  readonly enrolment: Enrolment;
  readonly packages: Packages;
  readonly releases: Releases;
  readonly upgrades: Upgrades;
}

type Deps = Pick<
  Cradle,
  | ("clock" | "config" | "files" | "ids" | "jobs" | "log" | "servers" | "snapshot" | "storage" | "transact")
  | "webHookClient"
>;

export function createSatellites(deps: Deps): Satellites {
  return {
    enrolment: createEnrolment(deps),
    packages: createPackages(deps),
    releases: createReleases(deps),
    upgrades: createUpgrades(deps),
  };
}
