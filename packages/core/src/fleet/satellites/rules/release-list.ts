import { isObject } from "../../../lib/json/is-object.ts";

/** A release of the agent, as the list on the web tells of it. */
export interface Release {
  /** As `satellite.version` and `release` name it. */
  readonly version: string;
  readonly title?: string;
  /** ISO 8601. */
  readonly published?: string;
}

const MAX_RELEASES = 100;
const VERSION = /^\w[\w.-]{0,63}$/;
const MAX_TEXT = 200;

/** Reads the usual forms of such lists: tags as texts, or objects with `tag_name` or `version`. Anything else is left out. */
export function readReleases(json: string): Release[] {
  const list: unknown = JSON.parse(json);
  if (!Array.isArray(list)) throw new TypeError("The list of releases is no list");
  return list.slice(0, MAX_RELEASES).flatMap((entry: unknown) => {
    const members = isObject(entry) ? entry : { version: entry };
    const version = members["tag_name"] ?? members["version"];
    if (typeof version !== "string" || !VERSION.test(version)) return [];
    return [{ version, ...text("title", members["name"]), ...text("published", members["published_at"]) }];
  });
}

const text = <K extends string>(name: K, value: unknown): { readonly [P in K]?: string } =>
  (typeof value === "string" && value !== "" ? { [name]: value.slice(0, MAX_TEXT) } : {}) as {
    readonly [P in K]?: string;
  };
