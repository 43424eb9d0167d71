import fc from "fast-check";
import { expect, test } from "vitest";
import { joinPieces } from "../../../../lib/text/text-pieces.ts";
import type { HostRecord } from "../../../servers/model.ts";
import { recordText as piecesOf } from "./host-record.ts";

const recordText = (record: HostRecord, sent: string | undefined): string =>
  joinPieces(piecesOf(record, sent === undefined ? undefined : Buffer.from(sent)));

const recordOf = (sent: Readonly<Record<string, unknown>>): HostRecord => ({
  id: "s1",
  version: "1.0",
  date: 60,
  server: "s1",
  hostname: "web01",
  ip: "10.0.0.1",
  groups: ["main"],
  data: { ...sent, monitors: { load_avg: 1 }, deltas: {}, missing: ["x"] },
  new_alerts: { hot: true },
});

test("a record made from the agent's text equals the parsed record, whatever the agent sent", () => {
  const data = fc.dictionary(
    fc.string().filter((name) => name !== "__proto__"),
    fc.jsonValue(),
  );
  const indent = fc.constantFrom(undefined, 1, "\t");
  void fc.assert(
    fc.property(data, indent, fc.constantFrom("", " ", "\n"), (sent, space, after) => {
      const text = JSON.stringify(sent, undefined, space) + after;
      expect(JSON.parse(recordText(recordOf(sent), text))).toEqual(JSON.parse(JSON.stringify(recordOf(sent))));
    }),
  );
});

test.each(["{}", "{ }", "{\n}", " {}".trim(), `{${" ".repeat(200)}\t\r\n}`])(
  "nothing that is sent as %j replaces our members",
  (text) => {
    expect(JSON.parse(recordText(recordOf({}), text))).toEqual(recordOf({}));
  },
);

test("our members take precedence over sent ones with the same names", () => {
  const sent = { monitors: "mine", deltas: 5, missing: null, load: [1] };
  const stored = JSON.parse(recordText(recordOf(sent), JSON.stringify(sent)));
  expect(stored.data).toEqual({ load: [1], monitors: { load_avg: 1 }, deltas: {}, missing: ["x"] });
});

test("without a text the record is serialised", () => {
  expect(recordText(recordOf({ load: [1] }), undefined)).toBe(JSON.stringify(recordOf({ load: [1] })));
});
