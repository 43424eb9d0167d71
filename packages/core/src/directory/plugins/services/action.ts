import type { Cradle } from "../../../kernel/container.ts";
import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import { wordIn } from "../../../lib/json/word-in.ts";
import { messageOf } from "../../../lib/message-of.ts";
import { VERSION } from "../../../lib/process/version.ts";
import { splitWords } from "../../../lib/text/split-words.ts";
import type { ProcessRunner, ProcessSpec } from "../../../ports/agents/process-runner.ts";
import type { SecretVariable } from "../../secrets/model.ts";
import { pluginCollection } from "../collection.ts";
import type { PluginRecord } from "../model.ts";
import { actionLine, parameterVariables } from "../rules/output/action-line.ts";
import { readActionOutput } from "../rules/output/action-output.ts";
import { createAnswerMask } from "../rules/output/mask-answer.ts";
import { triggerEnvironment } from "../rules/output/trigger-line.ts";
import { forceLocked } from "../rules/parameters/fields.ts";
import { processIdentity } from "../rules/process-identity.ts";
import { type Followed, faultOf, followProcess } from "./follow-process.ts";

/**
 * Runs an action plugin as a process of this machine (docs/contract/plugins.md#action-plugins,
 * docs/contract/alerts.md#running).
 */
export const pluginAction: ActionType = {
  applies: ["job", "alert"],
  target: (action) => wordIn(action, "plugin_id"),
  async run(run, cradle) {
    const id = wordIn(run.action, "plugin_id");
    const plugin = cradle.definitions.get(pluginCollection, id);
    if (plugin?.type !== "action") return failed(`Plugin not found: ${id}`);
    if (!plugin.enabled) return failed(`Plugin is disabled: ${id}`);
    const { clock, config, processes, vault } = cradle;
    if (!config.plugins.local_exec) return failed("Local plugin execution is disabled.");
    if (!processes) return failed("Process execution is disabled");
    return cradle.actionPlugins.inTurn(run.signal, () => execute(run, plugin, { clock, config, vault, processes }));
  },
};

const failed = (description: string): ActionOutcome => ({ code: "plugin", description });
const DEFAULT_TIMEOUT_SEC = 60;

type Tools = Pick<Cradle, "clock" | "config" | "vault"> & { readonly processes: ProcessRunner };

async function execute(run: ActionRun, plugin: PluginRecord, tools: Tools): Promise<ActionOutcome> {
  const variables = await tools.vault.variables("plugins", plugin.id);
  const mask = createAnswerMask(variables.map(({ value }) => value));
  const outcome = await follow(run, { plugin, variables }, tools);
  const hidden = (text: string | undefined): string => mask.written({ text: text ?? "", isCut: false });
  return { ...outcome, description: hidden(outcome.description), details: hidden(outcome.details) };
}

interface Program {
  readonly plugin: PluginRecord;
  readonly variables: readonly SecretVariable[];
}

async function follow(run: ActionRun, program: Program, tools: Tools): Promise<ActionOutcome> {
  const timeoutSec = program.plugin.timeout ?? DEFAULT_TIMEOUT_SEC;
  try {
    const child = await tools.processes.start(specOf(run, program, tools));
    return outcomeOf(await followProcess(child, { clock: tools.clock, timeoutSec, signal: run.signal }), timeoutSec);
  } catch (error) {
    return failed(`Plugin could not be started: ${messageOf(error)}`);
  }
}

function specOf(run: ActionRun, { plugin, variables }: Program, { config }: Tools): ProcessSpec {
  const { base_app_url: baseUrl, default_plugin_credentials: defaults } = config;
  const facts = { XYOPS: VERSION, XYOPS_BASE_URL: baseUrl };
  const known = triggerEnvironment(variables, facts);
  const action = { ...run.action, params: paramsOf(run, plugin) };
  const env = triggerEnvironment([...variables, ...parameterVariables(action.params, known)], facts);
  const [command, ...args] = splitWords(plugin.command, env);
  if (!command) throw new Error("its command names no program");
  return {
    command,
    args,
    ...processIdentity(plugin, defaults.action),
    env,
    stdin: actionLine({ side: run.side, data: run.data, action, variables, baseUrl }),
    ...(plugin.script ? { script: plugin.script } : {}),
  };
}

/** The parameters of an action. One that the output of a job pushed cannot choose the values of locked ones. */
function paramsOf({ action: { params, source } }: ActionRun, { params: definitions }: PluginRecord): unknown {
  return source === "job" ? forceLocked(definitions ?? [], membersOf(params), undefined) : params;
}

/** A report wins over the exit. Without a report, the exit decides, and the output becomes the details. */
function outcomeOf({ outcome, stdout, stderr }: Followed, timeoutSec: number): ActionOutcome {
  const fault = faultOf(outcome, timeoutSec);
  const { report, isBroken, text } = readActionOutput(stdout.text);
  const details = report?.details ?? detailsOf(text, stderr.text);
  if (fault !== undefined && (typeof outcome === "string" || report?.code === undefined))
    return { code: "plugin", description: report?.description ?? `Plugin ${fault}`, details };
  if (isBroken) return { code: "plugin", description: "Plugin output is not JSON.", details };
  const { code = 0, description = "Plugin completed successfully." } = report ?? {};
  return { code, description, details };
}

const MAX_SHOWN = 64 * 1024;

/** Both outputs, each in a code block that its text cannot end. */
function detailsOf(stdout: string, stderr: string): string {
  const block = (title: string, text: string): string[] => {
    const shown = text.trim().slice(0, MAX_SHOWN).replace(/`{3,}/g, "''");
    return shown === "" ? [] : [`**${title}:**\n\n\`\`\`\n${shown}\n\`\`\``];
  };
  return [...block("Output", stdout), ...block("Error Output", stderr)].join("\n\n");
}
