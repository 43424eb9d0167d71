import * as z from "zod";
import { discardIfRefused } from "../../../directory/files/discard-if-refused.ts";
import { secretLayers } from "../../../directory/secrets/rules/environment.ts";
import type { CommandContext, OperationContext } from "../../../kernel/calls/context.ts";
import { anyone, defineCommand } from "../../../kernel/calls/operation.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { checkCommonParameters, parseJson } from "../../../wire/fields/common.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import type { Event } from "../../events/model.ts";
import { workflowOf } from "../../graphs/rules/start-node.ts";
import type { LaunchRequest } from "../../jobs/model.ts";
import { fromTrigger } from "../rules/from-trigger.ts";
import { magicParams, refusedUploads } from "../rules/magic-request.ts";
import { readMagicPath } from "../services/magic-links.ts";
import { finalJob, type RunFiles, withFiles } from "./run.ts";
import { inputOf, launchJob } from "./run-plan.ts";

const Magic = looseObject(() => ({
  json: z.string().optional().describe("JSON text of an object, merged over the other members."),
  input: z.unknown().optional().describe("Input data and files of the job; everything else becomes its parameters."),
}));
type Magic = z.output<typeof Magic>;

export const magic = defineCommand({
  name: "magic",
  parameters: "merged",
  files: true,
  summary:
    "Launch the event whose magic link the path holds, with values and files; `/wait` behind it answers its final `job`.",
  access: anyone,
  refuses: ["event"],
  accepts: "anything",
  input: Magic,
  output: object(() => ({ description: z.string(), id: z.string(), stream: z.string() })),
  async admits(_sent, { client, services }) {
    services.magicLinks.find(readMagicPath(client.pathSuffix).key, client.ip);
  },
  async prepare(input, context): Promise<RunFiles> {
    const request = await context.read((tx) => planMagic(input, { ...context, tx }));
    const { client, services, uploads } = context;
    if (readMagicPath(client.pathSuffix).isWaiting) services.jobs.finals.requireRoom();
    const refused = refusedUploads(
      request.event.limits,
      uploads.map(({ sizeBytes }) => sizeBytes),
    );
    if (refused !== undefined) throw new DomainError("event", "conflict", refused);
    const sizes = await services.inputFiles.named(request.input?.files ?? [], uploads.length);
    const options = { folder: "files/magic/", expires: "user_file_expiration", marks: { magic: true } } as const;
    return { kept: await services.inputFiles.keepUploads(uploads, options), sizes };
  },
  async handler(input, context) {
    const { prepared: files, services } = context;
    try {
      const request = withFiles(await planMagic(input, context), files);
      const id = await launchJob(request, undefined, context as CommandContext);
      return { description: "The job was launched.", id, stream: services.jobs.tokens.ofStream(id) };
    } catch (error) {
      discardIfRefused(error, () => services.inputFiles.discard(files.kept));
      throw error;
    }
  },
  async afterCommit(launched, context) {
    const { isWaiting } = readMagicPath(context.client.pathSuffix);
    return isWaiting ? { job: await finalJob(launched.id, context) } : launched;
  },
});

/** Applies the checks of a caller who may do nothing but run this event. */
async function planMagic(
  { json, ...rest }: Magic,
  { client, config, services, tx }: Pick<OperationContext, "client" | "config" | "services"> & { readonly tx: ReadTx },
): Promise<LaunchRequest & { event: LaunchRequest["event"] }> {
  const { key } = readMagicPath(client.pathSuffix);
  const { event, trigger } = services.magicLinks.find(key, client.ip);
  if (!event.enabled) throw new DomainError("event", "conflict", `Event is disabled: ${event.title}`);
  const sent =
    json === undefined ? rest : checkCommonParameters({ ...rest, ...checkCommonParameters(parseJson(json)) });
  const definitions = await services.eventChecks.pluginParams(tx, event.plugin);
  const variables = variablesOf(event, { config, services });
  const { params, ignored } = magicParams(event, trigger, { sent, definitions, variables });
  services.eventChecks.checkFields(definitions, params, "Plugin");
  services.eventChecks.checkFields(event.fields, params, "Plugin");
  const { addTags, input: preset } = fromTrigger(event, trigger);
  const { data, files } = inputOf(sent["input"]);
  return {
    event,
    source: "magic",
    overrides: workflowOf(event, { source: "magic", fired: trigger }),
    params,
    ignored,
    ...(addTags ? { addTags } : {}),
    input: {
      ...(preset?.data || data ? { data: { ...preset?.data, ...data } } : {}),
      ...(files ? { files: withoutForeign(files) } : {}),
    },
  };
}

/** Names of the variables that the process of a job gets from the configuration and from secrets. */
function variablesOf(
  { id, category, plugin }: Event,
  { config, services }: Pick<OperationContext, "config" | "services">,
): ReadonlySet<string> {
  const secrets = secretLayers({ event: id, category, plugin }).flatMap((layer) => services.vault.assigned(...layer));
  return new Set([...Object.keys(config.job_env), ...secrets.flatMap(({ names }) => names)]);
}

/** The caller is unknown, so only files that were uploaded through a link may be named. */
function withoutForeign(files: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const foreign = files.find(({ path }) => typeof path !== "string" || !path.startsWith("files/magic/"));
  if (foreign) throw new InputError("Malformed event parameter: input.files (unknown path)");
  return [...files];
}
