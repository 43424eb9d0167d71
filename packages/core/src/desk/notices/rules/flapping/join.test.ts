import { expect, test } from "vitest";
import type { Member, Problem } from "../../model.ts";
import { type Flap, withAcknowledged } from "./flap.ts";
import { join, placeFor } from "./join.ts";

const flap: Flap = { since: 100, quiet: 3600, count: 4, latest: "i4" };
const member = (invocation: string, members: Partial<Member> = {}): Member => ({
  ...{ invocation, alert: "hot", server: "s1", severity: "warning", joined: 0, told: {}, standing: {} },
  ...members,
});
const problem = (id: string, members: readonly Member[], key = "k"): Problem => ({
  ...{ id, route: "rt1", key, severity: "warning", opened: 0, closed: null, members: [...members] },
  ...{ sides: {}, steps: 0, due: null },
});

const full = problem("full", [member("i0", { server: "s2" }), member("i4", { flap })]);
const roomy = problem("roomy", [member("i1", { server: "s3" })]);
test.each<[string, Problem[], string | undefined]>([
  ["none is open", [], undefined],
  ["all are about something else", [problem("other", [], "l")], undefined],
  ["one is full", [problem("a", [member("i0"), member("i1")])], undefined],
  ["one has room", [problem("a", [member("i0"), member("i1")]), roomy], "roomy"],
  ["it flaps in one that is full", [roomy, full], "full"],
])("where %s", (_where, open, id) => {
  expect(placeFor(open, "k", member("i9"), 2)?.id).toBe(id);
});

const told = { ops: { first: 1, last: 1, count: 1 } };
test.each<[string, Member[], Partial<Member>[]]>([
  ["of nothing that is there is a member of its own", [], [{ invocation: "i9", flap: { ...flap, latest: "i9" } }]],
  [
    "of what flaps is a part of it",
    [member("i4", { flap })],
    [{ invocation: "i4", flap: { ...flap, count: 5, latest: "i9" } }],
  ],
  [
    "of what flapped before is a member of its own",
    [member("i4", { flap: { ...flap, settled: 900 } })],
    [{ invocation: "i4" }, { invocation: "i9" }],
  ],
  [
    "that goes on before its end was told counts as told",
    [member("i4", { ended: 50, told })],
    [
      { invocation: "i4", told: {} },
      { invocation: "i9", told },
    ],
  ],
])("a firing %s", (_which, members, expected) => {
  expect(join(members, member("i9"), { since: 100, quiet: 3600, count: 4 }).members).toMatchObject(expected);
});

const acknowledged = { of: "i4", id: "ann", title: "Mine" };
const lent = (until: number) => ({ ...acknowledged, until });
const ann: Parameters<typeof withAcknowledged>[1] & object = { kind: "acknowledgement", id: "ann", title: "Mine" };
test("a firing that goes on names the one before", () => {
  const before = member("i4", { ended: 50, told });
  expect(join([before], member("i9"), undefined).continues).toBe("i4");
  expect(join([{ ...before, told: {} }], member("i9"), undefined).continues).toBeUndefined();
});

test.each<[string, Flap, typeof ann | undefined, Flap["acknowledged"]]>([
  ["is noted with its firing", flap, ann, acknowledged],
  ["counts for the firings that follow", { ...flap, latest: "i5", acknowledged }, undefined, acknowledged],
  ["is none when it was taken back", { ...flap, acknowledged }, undefined, undefined],
  ["is not what else holds", flap, { ...ann, kind: "silence" }, undefined],
  ["keeps its end", flap, { ...ann, until: 900 }, { ...acknowledged, until: 900 }],
  ["counts until its end", { ...flap, latest: "i5", acknowledged: lent(501) }, undefined, lent(501)],
  ["is none from its end on", { ...flap, latest: "i5", acknowledged: lent(500) }, undefined, undefined],
])("an acknowledgement %s", (_how, stored, hold, expected) => {
  expect(withAcknowledged(stored, hold, 500).acknowledged).toEqual(expected);
});
