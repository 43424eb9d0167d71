import type { SecretVariable } from "../../../directory/secrets/model.ts";
import { mergeEnvironment, type SecretLayer, secretLayers } from "../../../directory/secrets/rules/environment.ts";
import { createMasker, type Masker, type MaskStream } from "../../../directory/secrets/rules/mask.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import type { Job } from "../model.ts";

/** Secrets for a job's process, and the mask that hides their values in the job's output. */
export interface JobSecrets {
  /** Member `sec` of the launch message. */
  readonly environment: Readonly<Record<string, string>>;
  readonly mask: JobMask;
}

/** "none" = the job has no secrets to mask. */
export type JobMask = "none" | { readonly text: Masker["text"]; readonly log: MaskStream };

type Deps = Pick<Cradle, "eventRecords" | "log"> & { readonly vault: Pick<Cradle["vault"], "assigned" | "variables"> };
/** Members of a job that determine its secrets; the final record has them too. */
type GivenJob = Pick<Job, "id" | "event" | "type" | "category" | "plugin"> & { readonly workflow?: unknown };

/** True when secrets are assigned to a job. Reads no secrets, so that jobs without any need not wait. */
export function hasSecrets(deps: Deps, job: GivenJob): boolean {
  return layersOf(deps, job).some((layer) => deps.vault.assigned(...layer).length > 0);
}

/** Opens the secrets of a job for its launch message. A secret that cannot be opened is skipped: the job runs without it. */
export async function openSecrets(deps: Deps, job: GivenJob): Promise<JobSecrets> {
  const opened = layersOf(deps, job).map(async (layer) => {
    try {
      return await deps.vault.variables(...layer);
    } catch (error) {
      deps.log.error({ job: job.id, layer, error }, "Secrets of a job could not be opened; it runs without them");
      return [];
    }
  });
  const layers = await Promise.all(opened);
  return { environment: mergeEnvironment(layers), mask: maskFor(layers) };
}

/** The mask of a job that an earlier process launched; throws when its secrets cannot be read. */
export async function findMask(deps: Deps, job: GivenJob): Promise<JobMask> {
  return maskFor(await Promise.all(layersOf(deps, job).map((layer) => deps.vault.variables(...layer))));
}

function maskFor(layers: readonly (readonly SecretVariable[])[]): JobMask {
  const values = layers.flat().flatMap(({ masked, value }) => (masked ? [value] : []));
  const masker = createMasker(values);
  return masker ? { text: masker.text, log: masker.stream() } : "none";
}

function layersOf(
  { eventRecords }: Deps,
  { event, type, category, plugin, workflow }: GivenJob,
): readonly SecretLayer[] {
  // A workflow runs no process.
  if (type === "workflow") return [];
  const parent = isObject(workflow) ? workflow["event"] : undefined;
  if (typeof parent !== "string") return secretLayers({ event, category, plugin });
  const above = eventRecords.get(parent)?.category;
  return secretLayers({ event, category, plugin, workflow: { event: parent, category: above } });
}
