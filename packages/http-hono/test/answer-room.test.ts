import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { createAnswerRoom } from "../src/answer-room.ts";
import { createOutput } from "../src/output.ts";

/** What the server of the host tells of one answer. */
const answer = () => ({ outgoing: new EventEmitter() });

describe("room for long answers", () => {
  test("is taken until there is no more, and given back when an answer has left", () => {
    const room = createAnswerRoom(100);
    const [first, second] = [answer(), answer()];
    expect([room.take(60, first), room.take(40, second), room.take(1, answer())]).toEqual([true, true, false]);
    first.outgoing.emit("close");
    expect([room.take(61, answer()), room.take(60, answer())]).toEqual([false, true]);
  });

  test("is there for one answer, whatever its length", () => {
    const room = createAnswerRoom(100);
    expect([room.take(1000, answer()), room.take(1, answer())]).toEqual([true, false]);
  });

  test("is not counted where nobody tells when an answer has left", () => {
    const room = createAnswerRoom(100);
    expect([room.take(1000, undefined), room.take(1000, {})]).toEqual([true, true]);
  });
});

test("a long answer without room is refused with 503's code, and a short one is not", async () => {
  const output = createOutput({}, createAnswerRoom(1_000_000));
  const long = { rows: Array.from({ length: 1000 }, () => "x".repeat(1000)) };
  const send = async (members: object, env: object) => (await output.success(members, { pretty: false, env })).status;
  const [first, second] = [answer(), answer()];
  expect(await send(long, first)).toBe(200);
  await expect(send(long, second)).rejects.toMatchObject({ code: "api", reason: "unavailable" });
  expect(await send({ rows: [] }, second)).toBe(200);
  first.outgoing.emit("close");
  expect(await send(long, second)).toBe(200);
  // The call of a command is over: to make it again would change twice.
  expect((await output.success(long, { pretty: false, env: answer(), isDone: true })).status).toBe(200);
});
