import { expect, test } from "vitest";
import { newCheck } from "../rules/record.ts";
import { fitting, ordersFor } from "./orders.ts";

const of = (id: string, members: object = {}) =>
  newCheck(
    { title: "C", type: "http", url: "https://shop.example.com/", from: ["a"], ...members },
    { id, username: "admin", now: 0 },
  );
const list = (count: number, members: object = {}) =>
  Array.from({ length: count }, (_each, at) => of(`c${at}`, members));

test("a satellite has room for two hundred checks, and for fewer large ones", () => {
  expect(fitting(list(201))).toHaveLength(200);
  expect(fitting(list(60, { body: "x".repeat(16_384) }))).toHaveLength(29);
  const headers = [{ name: "A", value: "x".repeat(1000) }];
  expect(fitting(list(300, { headers }))).toHaveLength(200);
});

test("checks are sent to the servers that they name, but no check with a secret", () => {
  const checks = [of("one"), of("all", { from: ["engine", "web"] }), of("here", { from: ["engine"] })];
  const sealed = of("sealed", { body: "{{ secrets.KEY }}" });
  const servers = [
    { id: "a", groups: ["web"] },
    { id: "b", groups: ["web"] },
  ];
  const orders = ordersFor([...checks, sealed], () => servers);
  expect([...orders].map(([server, own]) => [server, own.map(({ id }) => id)])).toEqual([
    ["a", ["one", "all"]],
    ["b", ["all"]],
  ]);
});
