import { expect, test } from "vitest";
import { type Expected, type Judged, judgeAnswer } from "./answer.ts";

const json = (status: number, body: unknown): Judged => ({
  status,
  contentType: "application/json",
  text: typeof body === "string" ? body : JSON.stringify(body),
  hung: false,
});
const refused = { code: "api", description: "Missing parameter: id" };

test.each<[string, Judged, Expected, string[]]>([
  ["success", json(200, { code: 0 }), {}, []],
  ["a refusal", json(400, refused), {}, []],
  ["a refusal of an unversioned path", json(200, refused), {}, []],
  ["plain text", { ...json(200, "hello"), contentType: "text/plain" }, {}, []],
  ["a numeric code", json(400, { code: 1, description: "x" }), {}, ['code 1: {"code":1,"description":"x"}']],
  ["no description", json(400, { code: "api" }), {}, ['no description: {"code":"api"}']],
  ["an error status with success", json(404, { code: 0 }), {}, ["code 0 with status 404"]],
  ["a failure", json(500, refused), {}, [`status 500: ${JSON.stringify(refused)}`]],
  ["a failure that was injected", json(503, refused), { injected: true }, []],
  [
    "another failure while one was injected",
    json(500, refused),
    { injected: true },
    [`status 500: ${JSON.stringify(refused)}`],
  ],
  ["silence", { ...json(0, ""), hung: true }, {}, ["no answer in time"]],
  ["a cut connection", json(0, ""), {}, ["the connection was cut without an answer"]],
  [
    "a stack",
    json(400, { code: "x", description: "no\n    at run (file:///a.ts:1:2)" }),
    {},
    ['shows "\\\\n    at run (file"'],
  ],
  ["SQL", json(400, { code: "x", description: "insert into sb_tags failed" }), {}, ['shows "insert into sb_"']],
  [
    "an error of the engine",
    json(400, { code: "x", description: "a.b is not a function" }),
    {},
    ['shows "is not a function"'],
  ],
  ["a forbidden word", json(200, { code: 0, title: "MARK7" }), { forbidden: ["MARK7"] }, ['shows "MARK7"']],
  ["an error message of the operating system", json(200, { code: 0, cmd: "x/node_modules/y" }), { ofSystem: true }, []],
])("%s", (_, answer, expected, wrong) => {
  expect(judgeAnswer(answer, expected)).toEqual(wrong);
});
