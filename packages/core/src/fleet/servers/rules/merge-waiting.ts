import { isObject } from "../../../lib/json/is-object.ts";

/** More than one update may push; the rest is said anew in each of them. */
const MAX_PUSHED = 1000;

/** Agents send the members of a job, so more different ones than this are no job. */
const MAX_MEMBERS = 500;

/**
 * Two updates about one job as one: the later word counts, and nothing that was pushed is lost
 * (docs/contract/satellites.md#bounds).
 */
export function mergeWaiting(earlier: unknown, later: unknown): unknown {
  if (!isObject(earlier)) return later;
  if (!isObject(later)) return earlier;
  const push = mergePush(earlier["push"], later["push"]);
  // An ended job stays ended, in any order of messages.
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
