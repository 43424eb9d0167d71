import { MASK } from "../../../../directory/secrets/rules/mask.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { isKnownMember } from "./merge-update.ts";

type Members = Readonly<Record<string, unknown>>;
type MaskText = (text: string) => string;

/** Deeper than any value that a job may keep: a value cut off here is refused later. */
const MAX_DEPTH = 70;
/** Words of the protocol, which are no output of the job. */
const STATES: ReadonlySet<unknown> = new Set(["active", "finishing", "complete"]);
const CODES: ReadonlySet<unknown> = new Set(["warning", "critical", "abort"]);

/**
 * An agent's update with every text in it masked, names of members among them. Numbers, flags and the words of the
 * protocol stay as they are. A further member whose name gives a secret's value away is left out.
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

/** The folder of the job in the path says whose file it is. */
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
