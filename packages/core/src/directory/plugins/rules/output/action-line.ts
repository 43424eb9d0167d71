import { isObject, membersOf } from "../../../../lib/json/is-object.ts";
import type { SecretVariable } from "../../../secrets/model.ts";

type Members = Readonly<Record<string, unknown>>;

interface Request {
  readonly side: "job" | "alert";
  /** Data of templates (docs/contract/actions.md#template-data, docs/contract/alerts.md#template-data). */
  readonly data: Members;
  readonly action: Members;
  readonly variables: readonly SecretVariable[];
  readonly baseUrl: string;
}

/**
 * The single line that an action plugin reads from its standard input (docs/contract/plugins.md#action-plugins,
 * docs/contract/alerts.md#running).
 */
export function actionLine({ side, data, action, variables, baseUrl }: Request): string {
  const { env: _host, config, ...rest } = data;
  const line = {
    ...rest,
    ...(side === "job" && config !== undefined ? { config } : {}),
    xy: 1,
    type: "action",
    condition: action["condition"],
    params: membersOf(action["params"]),
    secrets: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    base_url: baseUrl,
  };
  return `${JSON.stringify(line)}\n`;
}

/** Converts numbers, texts and booleans to variables; replaces `$NAME` and `${NAME}` by values of `environment`. */
export function parameterVariables(
  params: unknown,
  environment: Readonly<Record<string, string>>,
): { readonly name: string; readonly value: string }[] {
  const entries = isObject(params) ? Object.entries(params) : [];
  return entries
    .filter(([name, value]) => name !== "" && ["string", "number", "boolean"].includes(typeof value))
    .map(([name, value]) => ({ name: name.replace(/\W+/g, "_"), value: withVariables(String(value), environment) }));
}

function withVariables(text: string, environment: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (whole, bare: string | undefined, braced: string | undefined) => {
    const name = bare ?? braced ?? "";
    return Object.hasOwn(environment, name) ? (environment[name] ?? "") : whole;
  });
}
