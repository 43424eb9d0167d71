import { MASK } from "../../../../directory/secrets/rules/mask.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { isKnownMember } from "./merge-update.ts";

type Members = Readonly<Record<string, unknown>>;
type MaskText = (text: string) => string;

/** Deeper than any value that a job may have: a value that is cut here is refused later. */
const MAX_DEPTH = 70;
/** Words of the protocol, which are not output of the job. */
const STATES: ReadonlySet<unknown> = new Set(["active", "finishing", "complete"]);
const CODES: ReadonlySet<unknown> = new Set(["warning", "critical", "abort"]);

/**
 * Masks every text in an agent's update, including names of members. Numbers, flags and words of the protocol are unchanged.
 * Unknown members whose name contains a secret are dropped.
 */
export function maskUpdate(update: unknown, mask: MaskText): unknown {
  if (!isObject(update)) return undefined;
  const members = Object.entries(update).filter(([name]) => isKnownMember(name) || mask(name) === name);
  return Object.fromEntries(members.map(([name, value]) => [name, maskMember(name, value, mask)]));
}

function maskMember(name: string, value: unknown, mask: MaskText): unknown {
  if (name === "id" || (name === "state" && STATES.has(value)) || (name === "code" && CODES.has(value))) return value;
  if (name === "files" && Array.isArray(value)) return value.map((file: unknown) => maskFile(file, mask));
  if (name === "push" && isObject(value)) {
    const lists = Object.entries(value).filter(([list]) => isKnownMember(list) || mask(list) === list);
    return Object.fromEntries(lists.map(([list, entries]) => [list, maskDeep(entries, mask)]));
  }
  return maskDeep(value, mask);
}

/** The job's folder in the path stays unmasked, because it determines to which job the file belongs. */
function maskFile(file: unknown, mask: MaskText): unknown {
  if (!isObject(file) || typeof file["path"] !== "string") return maskDeep(file, mask);
  const { path, ...rest } = file as Members & { path: string };
  const folder = /^files\/jobs\/[^/]*\//.exec(path)?.[0] ?? "";
  return { ...(maskDeep(rest, mask) as Members), path: folder + mask(path.slice(folder.length)) };
}

function maskDeep(value: unknown, mask: MaskText, depth = 0): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return value.map((each: unknown) => maskDeep(each, mask, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [mask(name), maskDeep(each, mask, depth + 1)]));
}
