import { isObject } from "../../../lib/json/is-object.ts";

/** A release of the agent, as listed on the web. */
export interface Release {
  /** Version as used in `satellite.version` and `release`. */
  readonly version: string;
  readonly title?: string;
  /** ISO 8601. */
  readonly published?: string;
}

const MAX_RELEASES = 100;
const VERSION = /^\w[\w.-]{0,63}$/;
const MAX_TEXT = 200;

/**
 * Parses the usual forms of release lists: tags as texts, or objects with `tag_name` or `version`. Skips anything else.
 */
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
