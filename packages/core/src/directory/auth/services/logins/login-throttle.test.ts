import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../../engine/config.ts";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import { createLoginThrottle } from "./login-throttle.ts";

const OWNER = "203.0.113.9";

const setUp = () => {
  const clock = fakeClock();
  const sessions = {
    isKnownNetwork: async (account: string, network: string) => `${account} ${network}` === `ann ${OWNER}`,
  };
  const config = parseConfig({});
  return { clock, config, throttle: createLoginThrottle({ clock, sessions, config }) };
};
const times = (count: number, act: () => unknown) => Array.from({ length: count }, act);
const tooMany = "Too many failed attempts.  Please try again later.";

test("30 attempts from an address are allowed, also concurrent ones, and no more", () => {
  const { throttle } = setUp();
  times(30, () => throttle.take("198.51.100.7"));
  expect(() => throttle.take("198.51.100.7")).toThrow(tooMany);
  expect(() => throttle.take("198.51.100.8")).not.toThrow();
});

test("each attempt counts for ten minutes", async () => {
  const { clock, throttle } = setUp();
  throttle.take("198.51.100.7");
  await clock.advance(300);
  times(29, () => throttle.take("198.51.100.7"));
  await clock.advance(299);
  expect(() => throttle.take("198.51.100.7")).toThrow(tooMany);
  await clock.advance(1);
  throttle.take("198.51.100.7");
  expect(() => throttle.take("198.51.100.7")).toThrow(tooMany);
});

test("successful attempts are given back, once each", () => {
  const { throttle } = setUp();
  for (let n = 0; n < 100; n++) throttle.take("198.51.100.7")();
  const giveBack = throttle.take("198.51.100.7");
  times(29, () => throttle.take("198.51.100.7"));
  giveBack();
  throttle.take("198.51.100.7");
  expect(() => throttle.take("198.51.100.7")).toThrow(tooMany);
});

test("addresses of one IPv6 customer count together", () => {
  const { throttle } = setUp();
  times(30, () => throttle.take("2001:db8:1:2::1"));
  expect(() => throttle.take("2001:db8:1:2:ffff::9")).toThrow(tooMany);
});

test("in-process calls are not counted", () => {
  const { throttle } = setUp();
  times(100, () => throttle.take(""));
});

test("ten thousand addresses are kept, the latest ones", () => {
  const { throttle } = setUp();
  times(30, () => throttle.take("198.51.100.7"));
  for (let n = 0; n < 9_999; n++) throttle.take(`10.0.${n >> 8}.${n & 255}`);
  expect(() => throttle.take("198.51.100.7")).toThrow(tooMany);
  throttle.take("10.9.9.9");
  expect(() => throttle.take("198.51.100.7")).not.toThrow();
});

describe("password guesses for one account", () => {
  const address = (n: number) => `10.1.${n >> 8}.${n & 255}`;

  test("from one address are delayed after the free failures, for that account alone", async () => {
    const { clock, throttle } = setUp();
    for (let n = 0; n < 6; n++) expect((await throttle.attempt("ann", address(1))).delayed).toBe(false);
    expect((await throttle.attempt("ann", address(1))).delayed).toBe(true);
    expect((await throttle.attempt("joe", address(1))).delayed).toBe(false);
    expect((await throttle.attempt("ann", address(2))).delayed).toBe(false);
    await clock.advance(1);
    expect((await throttle.attempt("ann", address(1))).delayed).toBe(false);
  });

  test("are delayed after the presently configured number of failures", async () => {
    const { config, throttle } = setUp();
    await throttle.attempt("ann", address(1));
    config.User.max_failed_logins_per_hour = 1;
    expect((await throttle.attempt("ann", address(1))).delayed).toBe(false);
    expect((await throttle.attempt("ann", address(1))).delayed).toBe(true);
  });

  test("are forgiven by a success", async () => {
    const { throttle } = setUp();
    for (let n = 0; n < 5; n++) await throttle.attempt("ann", address(1));
    (await throttle.attempt("ann", address(1))).forgive();
    for (let n = 0; n < 5; n++) expect((await throttle.attempt("ann", address(1))).delayed).toBe(false);
  });

  test("guesses that could not be checked are not counted", async () => {
    const { throttle } = setUp();
    for (let n = 0; n < 200; n++) {
      const attempt = await throttle.attempt("ann", address(1));
      await expect(attempt.judge(Promise.reject(new Error("Too many wait")))).rejects.toThrow("Too many wait");
    }
    expect((await throttle.attempt("ann", address(1))).delayed).toBe(false);
  });

  test("from very many addresses are delayed together, but not at an address with a session", async () => {
    const { clock, throttle } = setUp();
    for (let n = 0; n < 101; n++) expect((await throttle.attempt("ann", address(n))).delayed).toBe(false);
    expect((await throttle.attempt("ann", address(200))).delayed).toBe(true);
    expect((await throttle.attempt("ann", OWNER)).delayed).toBe(false);
    await clock.advance(2);
    expect((await throttle.attempt("ann", address(200))).delayed).toBe(false);
  });

  test("in process are never delayed", async () => {
    const { throttle } = setUp();
    for (let n = 0; n < 200; n++) expect((await throttle.attempt("ann", "")).delayed).toBe(false);
  });
});
