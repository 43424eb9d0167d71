import type { Credentials, HostUser } from "../../src/kernel/calls/context.ts";
import { START } from "../engine.ts";
import { rounds } from "../rounds.ts";
import type { Sample } from "./sample-makers.ts";
import type { Limit, Row } from "./table.ts";
import { TITLES } from "./titles.ts";
import type { KeyMembers, Members, Person, World } from "./world/world.ts";

/** Result that a caller must get: admitted, or the exact code and sentence. */
export type Expected = "through" | { readonly code: string; readonly description: string };

/** The caller; a person has a session. */
export type Who =
  | { readonly credentials: Credentials }
  | { readonly hostUser: HostUser }
  | { readonly person: () => Promise<Person> }
  | { readonly keyFor: (input: Members) => Promise<Credentials> };

/** One cell of the matrix. */
export interface Cell {
  readonly caller: string;
  readonly who: Who;
  readonly expected: Expected;
  /** Added to the input. */
  readonly input?: Members;
  /** The answer must not show other callers' records. */
  readonly hides?: boolean;
  /** The answer must show it; otherwise hiding it would prove nothing. */
  readonly shows?: boolean;
}

const session = (description: string): Expected => ({ code: "session", description });
const api = (description: string): Expected => ({ code: "api", description });
const access = (description: string): Expected => ({ code: "access", description });

const NOBODY = session("No Session ID or API Key could be found");
const BAD_KEY = session("Invalid API Key");
const USERS_ONLY = session("This operation requires a user session.");
const ACCOUNT = "You do not have the required account privileges to";

const missing = (privilege: string): Expected =>
  access(`You do not have the '${TITLES[privilege] ?? "?"}' privilege required to perform this action.`);

const isPrivilege = ({ access: kind }: Row): boolean => Object.hasOwn(TITLES, kind);
const looksAtNobody = ({ access: kind }: Row): boolean => kind === "anyone" || kind === "unchecked";

/** The refusal for callers limited to some groups, who may not write such records at all. */
function groupLimited(operation: string): Expected {
  const [told] = /receiver|route/.exec(operation) ?? [];
  const things = told ? "routes" : /monitor/.test(operation) ? "monitors" : "alerts";
  return { code: told ?? "alert", description: `Group-limited users may not manage ${things}.` };
}

/** Result for a caller limited to other categories, or to other groups. */
function limited(limit: Limit, { operation }: Row, { namesInput }: Sample, input: Members): Expected {
  const id = namesInput ? String(input["id"]) : undefined;
  switch (limit) {
    case "C":
      return access(`${ACCOUNT} access category ID ${id ?? "alpha"}.`);
    case "C*":
      return access(`${ACCOUNT} access category ID *.`);
    case "G":
      return access(`${ACCOUNT} access group ID ${id ?? "ga"}.`);
    case "G*":
      return access(`${ACCOUNT} access group ID *.`);
    case "T":
      return access(`${ACCOUNT} access targets: ga.`);
    case "S":
      return access(`${ACCOUNT} access server ID sa.`);
    case "GL":
      return groupLimited(operation);
    case "U":
      if (operation === "delete_snapshot")
        return { code: "alert", description: "Group-limited users may not delete server snapshots." };
      return access(
        operation === "get_multiple" || operation === "bulk_search_delete_tickets"
          ? "Category or group limited users may not use this API"
          : `${ACCOUNT} use this API.`,
      );
    default:
      return "through";
  }
}

/** Results for callers whose credentials the operation reads. */
interface Rules {
  readonly row: Row;
  readonly sample: Sample;
  readonly input: Members;
  /** The privilege of the row, if any, and further ones that the operation accepts. */
  readonly own: readonly string[];
  /** Result for admitted keys and host users. */
  readonly admitted: Expected;
  /** Members of the cells whose answer shows everything. */
  readonly all: Partial<Cell>;
  /** Results for callers limited to another category, and to another group. */
  readonly inCategory: Expected;
  readonly inGroup: Expected;
}

/** All callers of one operation, each with its result. `input` is the input of the refused calls. */
export async function cellsOf(world: World, row: Row, sample: Sample, input: Members): Promise<Cell[]> {
  const own = [...(isPrivilege(row) ? [row.access] : []), ...(sample.also ?? [])];
  const admitted: Expected = row.access === "session" ? USERS_ONLY : (sample.admitted ?? "through");
  const isLimited = row.access !== "admin" && row.access !== "session";
  const rules: Rules = {
    ...{ row, sample, input, own, admitted },
    all: [row.category, row.group].some((limit) => hidden(limit).hides) ? { shows: true } : {},
    inCategory: isLimited ? limited(row.category, row, sample, input) : admitted,
    inGroup: isLimited ? limited(row.group, row, sample, input) : admitted,
  };
  const cells = [
    ...(await strangers(world, rules)),
    ...(await keys(world, rules)),
    ...hostUsers(rules),
    ...(await people(world, rules)),
  ];
  if (!looksAtNobody(row)) return cells;
  const asked = cells.filter(({ caller }) => sample.only?.includes(caller) ?? true);
  return asked.map((cell) => ({ ...cell, expected: sample.callers?.[cell.caller]?.(cell.expected) ?? "through" }));
}

const hidden = (limit: Limit): Partial<Cell> => (limit === "F" || limit === "F*" ? { hides: true } : {});
const by = (credentials: Credentials): Who => ({ credentials });

async function strangers(world: World, { row, sample }: Rules): Promise<Cell[]> {
  const lapsed = session("Session has expired or is invalid.");
  const first: Cell =
    row.access === "token"
      ? {
          caller: "the bearer of a token",
          who: by({}),
          expected: "through",
          input: (await sample.token?.(world)) ?? {},
        }
      : { caller: "nobody", who: by({}), expected: NOBODY };
  const expired = await world.key({ privileges: ["admin"], expires: START });
  const disabled = await world.key({ privileges: ["admin"], active: false });
  const ended = await world.person({ privileges: ["admin"] }, { expires: START });
  return [
    first,
    { caller: "an unknown key", who: by({ apiKey: "unknown0123456789abcdefghi" }), expected: BAD_KEY },
    { caller: "an empty key", who: by({ apiKey: "" }), expected: BAD_KEY },
    { caller: "an expired key", who: by(expired), expected: api("API Key is expired") },
    { caller: "a disabled key", who: by(disabled), expected: api("API Key is disabled") },
    { caller: "an unknown session", who: by({ sessionId: "0".repeat(64) }), expected: lapsed },
    { caller: "a malformed session", who: by({ sessionId: "../users/admin" }), expected: lapsed },
    { caller: "an expired session", who: by(ended.credentials), expected: lapsed },
  ];
}

async function keys(world: World, rules: Rules): Promise<Cell[]> {
  const { row, sample, input, own, admitted, all } = rules;
  const cells: Cell[] = [];
  const add = async (caller: string, members: KeyMembers, expected: Expected, more: Partial<Cell> = {}) => {
    cells.push({ caller, who: by(await world.key(members)), expected, ...more });
  };
  await add("a key without privileges", {}, own[0] === undefined ? admitted : missing(own[0]), all);
  await add("a key with exactly the privilege", { privileges: own }, admitted, all);
  const elsewhere = { privileges: own, categories: ["beta"] };
  await add("a key limited to another category", elsewhere, rules.inCategory, hidden(row.category));
  await add("a key limited to another group", { privileges: own, groups: ["gb"] }, rules.inGroup, hidden(row.group));
  const boss = { privileges: ["admin"], categories: ["beta"], groups: ["gb"] };
  await add("an administrator limited by mistake", boss, admitted, all);
  if (own[0] !== undefined && own[0] !== "admin") {
    const others = Object.keys(TITLES).filter((id) => id !== own[0] && id !== "admin");
    await add("a key with every privilege but this one and admin", { privileges: others }, missing(own[0]));
  }
  const caller = "a key limited to the very category and group";
  const keyFor = ({ id }: Members) =>
    world.key({ privileges: own, categories: ["alpha", String(id)], groups: ["ga", String(id)] });
  const needsAll = [row.category, row.group].find((limit) => /^(C\*|G\*|GL|U)$/.test(limit));
  const expected = needsAll === undefined ? admitted : limited(needsAll, row, sample, input);
  const seen = row.category === "F*" ? hidden("F*") : all;
  // Keys for refused calls are created before the store is compared.
  if (expected === "through") cells.push({ caller, who: { keyFor }, expected, ...seen });
  else cells.push({ caller, who: by(await keyFor(input)), expected });
  return cells;
}

/** People whom the host itself has signed in. */
function hostUsers({ own, admitted, all, inCategory, inGroup }: Rules): Cell[] {
  const user = (members: Partial<HostUser>): Who => ({ hostUser: { id: "host.user@example.com", ...members } });
  const without: Expected = own[0] === undefined ? admitted : missing(own[0]);
  return [
    { caller: "a host's user without privileges", who: user({}), expected: without },
    { caller: "a host's user with the privilege", who: user({ privileges: own }), expected: admitted, ...all },
    {
      caller: "a host's user of another category",
      who: user({ privileges: own, categories: ["beta"] }),
      expected: inCategory,
    },
    { caller: "a host's user of another group", who: user({ privileges: own, groups: ["gb"] }), expected: inGroup },
  ];
}

/** Users with their own sessions. */
async function people(world: World, { row, own, all }: Rules): Promise<Cell[]> {
  const rights = { privileges: own };
  const known = await world.person({ privileges: ["admin"] });
  const idle = await world.person({ privileges: ["admin"], active: 0 });
  const gone = await world.person({ privileges: ["admin"] });
  await world.removePerson(gone);
  const { sessionId } = known;
  const cookie = (csrfToken?: string): Who =>
    by({ sessionId, sessionFromCookie: true, ...(csrfToken === undefined ? {} : { csrfToken }) });
  const cells: Cell[] = [
    { caller: "a session without CSRF token", who: cookie(), expected: session("Invalid session") },
    { caller: "a session with a wrong CSRF token", who: cookie("0".repeat(64)), expected: session("Invalid session") },
    {
      caller: "a session of a disabled user",
      who: by(idle.credentials),
      expected: session(`User account is disabled: ${idle.username}`),
    },
    {
      caller: "a session of a user that is gone",
      who: by(gone.credentials),
      expected: { code: "user", description: `User not found: ${gone.username}` },
    },
    {
      caller: "a session with the privilege",
      who: { person: () => world.person(rights) },
      expected: "through",
      ...all,
    },
    {
      caller: "a role with the privilege",
      who: { person: () => world.inRole(own, true) },
      expected: "through",
      ...all,
    },
  ];
  if (!isPrivilege(row)) return cells;
  const outsider = await world.inRole(own, false);
  const expected = missing(row.access);
  return [...cells, { caller: "a disabled role with the privilege", who: by(outsider.credentials), expected }];
}

/** `npm test` tries one in five of the other privileges, different ones for each operation. */
const ONE_OF = rounds(5, 1);

/** Other privileges than the row's admit nobody. */
export function sweepOf(single: ReadonlyMap<string, Credentials>, row: Row): Cell[] {
  if (!isPrivilege(row)) return [];
  const others = [...single].filter(
    ([id], at) => id !== row.access && id !== "admin" && (at + row.operation.length) % ONE_OF === 0,
  );
  const expected = missing(row.access);
  return others.map(([id, credentials]) => ({ caller: `a key with ${id} alone`, who: by(credentials), expected }));
}
