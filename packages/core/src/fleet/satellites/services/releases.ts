import { targetsOf } from "../../../directory/web-hooks/rules/targets.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { VERSION } from "../../../lib/process/version.ts";
import { type Release, readReleases } from "../rules/release-list.ts";

/** The releases of the agent that are published on the web. */
export interface Releases {
  /** Newest first; empty when no list is configured. Throws when the list cannot be fetched. */
  list(): Promise<readonly Release[]>;
}

const TIMEOUT_MS = 10_000;
/** Seconds for which an old list is used after a failure: each call would otherwise wait for the timeout again. */
const RETRY_SEC = 60;

type Deps = Pick<Cradle, "clock" | "config" | "jobs" | "log" | "webHookClient">;

export function createReleases(deps: Deps): Releases {
  const { clock, config, log } = deps;
  let known: { readonly releases: readonly Release[]; readonly until: number } | undefined;
  let asking: Promise<readonly Release[]> | undefined;

  async function ask(): Promise<readonly Release[]> {
    try {
      known = { releases: await fetchReleases(deps), until: clock.now() + config.satellite.cache_ttl };
      return known.releases;
    } catch (error) {
      if (!known) throw error;
      known = { ...known, until: clock.now() + RETRY_SEC };
      log.warn({ error }, "The list of releases could not be fetched; the last one is used");
      return known.releases;
    } finally {
      asking = undefined;
    }
  }

  return {
    async list() {
      if (config.satellite.list_url === "") return [];
      if (known && clock.now() < known.until) return known.releases;
      // Concurrent callers share one request.
      asking ??= ask();
      return asking;
    },
  };
}

async function fetchReleases({ config, jobs, webHookClient }: Deps): Promise<readonly Release[]> {
  if (!webHookClient) throw new Error("there is no client for requests");
  const request = {
    method: "GET",
    url: config.satellite.list_url,
    headers: { Accept: "application/json", "User-Agent": `Signalbox/${VERSION}` },
    timeoutMs: TIMEOUT_MS,
    followRedirects: true,
    skipCertificateCheck: false,
    targets: targetsOf(config),
  };
  const { status, body } = await webHookClient.send(request, jobs.stopping);
  if (status !== 200) throw new Error(`HTTP ${status}`);
  return readReleases(body);
}
