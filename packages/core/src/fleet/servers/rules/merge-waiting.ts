import { isObject } from "../../../lib/json/is-object.ts";

/** More than one update may push; each update repeats all other members. */
const MAX_PUSHED = 1000;

/** Most members of a merged update. Agents send members of a job, which never has more. */
const MAX_MEMBERS = 500;

/**
 * Merges two updates about one job: later values win, and pushed rows are concatenated
 * (docs/contract/satellites.md#bounds).
 */
export function mergeWaiting(earlier: unknown, later: unknown): unknown {
  if (!isObject(earlier)) return later;
  if (!isObject(later)) return earlier;
  const push = mergePush(earlier["push"], later["push"]);
  // A completed job stays complete, in whatever order messages arrive.
  const state = earlier["state"] === "complete" ? "complete" : (later["state"] ?? earlier["state"]);
  const members = { ...earlier, ...later };
  const base = Object.keys(members).length > MAX_MEMBERS ? later : members;
  return { ...base, ...(state === undefined ? {} : { state }), ...(push === undefined ? {} : { push }) };
}

function mergePush(earlier: unknown, later: unknown): unknown {
  if (!isObject(earlier)) return later;
  if (!isObject(later)) return earlier;
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
  return Object.fromEntries(
    names.map((name) => [name, [...list(earlier[name]), ...list(later[name])].slice(0, MAX_PUSHED)]),
  );
}
