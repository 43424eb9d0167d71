import { scryptSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../../test/rounds.ts";
import { systemRandom } from "../../../ports/random.ts";
import { formatScrypt } from "../rules/password-hash.ts";
import { createPasswords } from "./passwords.ts";

const passwords = createPasswords({ random: systemRandom(), verifyPassword: undefined });

/** Costs with an eighth of the usual work, 25 ms, for rules that hold at any costs. */
const LESS = { n: 2048, r: 8, p: 5 } as const;
const quicker = (verifyPassword?: (password: string, hash: string) => Promise<boolean>) =>
  createPasswords({ random: systemRandom(), verifyPassword }, LESS);

/** Hashes with the platform's function instead of the one under test. */
const known = (password: string, n: number, r: number, p: number): string => {
  const salt = Buffer.from("0123456789abcdef");
  return formatScrypt({ n, r, p, salt, hash: scryptSync(password, salt, 32, { N: n, r, p }) });
};

describe("a password of ours", () => {
  test("accepts only itself, and its hash has the contract's form", async () => {
    const stored = await passwords.hash("pässwörd 1");
    expect(stored).toMatch(/^scrypt\$16384\$8\$5\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(await passwords.verify("pässwörd 1", stored)).toEqual({ ok: true, outdated: false });
    expect(await passwords.verify("pässwörd 2", stored)).toEqual({ ok: false, outdated: false });
    expect(await passwords.verify("", stored)).toEqual({ ok: false, outdated: false });
  });

  test("gets a new salt each time", async () => {
    const { hash } = quicker();
    expect(await hash("same")).not.toBe(await hash("same"));
  });

  test("is significant to its last character, however long it is", async () => {
    const long = "x".repeat(200);
    const { hash, verify } = quicker();
    const stored = await hash(long);
    expect((await verify(`${long.slice(0, -1)}y`, stored)).ok).toBe(false);
  });

  test("matches a hash that the platform made with the same costs", async () => {
    expect(await passwords.verify("secret", known("secret", 16_384, 8, 5))).toEqual({ ok: true, outdated: false });
  });

  test("a hash of other costs is accepted and outdated", async () => {
    expect(await passwords.verify("secret", known("secret", 1024, 8, 1))).toEqual({ ok: true, outdated: true });
    expect(await passwords.verify("wrong", known("secret", 1024, 8, 1))).toEqual({ ok: false, outdated: false });
  });
});

test.each([undefined, "", "scrypt$broken", "$2b$10$foreign", "plain text"])(
  "%j accepts no password when no foreign hashes are allowed",
  async (stored) => {
    expect(await quicker().verify(stored ?? "", stored)).toEqual({ ok: false, outdated: false });
  },
);

test("a hash of another system is given to the host's verifier and outdated when it matches", async () => {
  const asked: string[] = [];
  const importing = quicker(async (password, hash) => {
    asked.push(hash);
    return hash === `old:${password}`;
  });
  expect(await importing.verify("one", "old:one")).toEqual({ ok: true, outdated: true });
  expect(await importing.verify("two", "old:one")).toEqual({ ok: false, outdated: false });
  expect(await importing.verify("one", undefined)).toEqual({ ok: false, outdated: false });
  expect(await importing.verify("one", known("one", 1024, 8, 1))).toMatchObject({ ok: true });
  expect(asked).toEqual(["old:one", "old:one"]);
});

describe("many password checks at once", () => {
  /** A verifier that finishes when the test says so; it shows the number of running and waiting checks. */
  function heldVerifier() {
    const ends: (() => void)[] = [];
    let isHeld = true;
    let most = 0;
    let running = 0;
    const verifyPassword = async () => {
      running += 1;
      most = Math.max(most, running);
      if (isHeld) await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      return true;
    };
    const busy = createPasswords({ random: systemRandom(), verifyPassword }, { n: 2, r: 1, p: 1 });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    /** Finishes all checks, including later ones. */
    const endAll = (): void => {
      isHeld = false;
      for (const end of ends.splice(0)) end();
    };
    return { busy, endAll, turn, most: () => most };
  }

  test("run two at a time, the others wait, and all are answered", async () => {
    const { busy, endAll, turn, most } = heldVerifier();
    const calls = Array.from({ length: 66 }, () => busy.verify("x", "foreign"));
    await turn();
    endAll();
    expect((await Promise.all(calls)).filter(({ ok }) => ok)).toHaveLength(66);
    expect(most()).toBe(2);
  });

  test("are refused when the line is full, and served later", async () => {
    const { busy, endAll, turn } = heldVerifier();
    const calls = Array.from({ length: 66 }, () => busy.verify("x", "foreign"));
    const message = "Too many passwords are being checked.  Please try again later.";
    await expect(busy.hash("x")).rejects.toMatchObject({ code: "rate", message });
    await turn();
    endAll();
    await Promise.all(calls);
    expect(await busy.hash("x")).toMatch(/^scrypt/);
  });

  test("continue after a verifier that throws", async () => {
    const failing = quicker(async () => {
      throw new Error("no connection");
    });
    for (let count = 0; count < 3; count++)
      await expect(failing.verify("x", "foreign")).rejects.toThrow("no connection");
    expect(await failing.hash("x")).toMatch(/^scrypt/);
  });
});

describe("the work of a password check", () => {
  /**
   * CPU time of a check on all threads, in milliseconds; wall-clock time would include other processes. Returns the least of
   * several, because garbage collection counts as well.
   */
  async function workOf(stored: string | undefined, checked = quicker()): Promise<number> {
    const spent: number[] = [];
    for (let count = 0; count < rounds(4, 6); count++) {
      const before = process.cpuUsage();
      await checked.verify("wrong", stored);
      const { user, system } = process.cpuUsage(before);
      spent.push((user + system) / 1000);
    }
    return Math.min(...spent);
  }

  /**
   * Measures again while the share is out of range: other work on the machine slows one of the two down, but a check that really
   * does less stays out of range.
   */
  async function shareOf(check: () => Promise<number>, usual: () => Promise<number>): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      const share = (await check()) / (await usual());
      if (attempt === 5 || (share > 0.7 && share < 1.4)) return share;
    }
  }

  test.each([
    ["an account that does not exist", undefined],
    ["a random password of the first start", known("secret", 128, 8, 1)],
    ["half of the costs", known("secret", LESS.n, LESS.r, 2)],
  ])("equals the work for a usual account for %s", async (_what, stored) => {
    const usual = known("secret", LESS.n, LESS.r, LESS.p);
    const share = await shareOf(
      () => workOf(stored),
      () => workOf(usual),
    );
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(1.4);
  });

  test("is done beside a foreign verifier", async () => {
    const importing = quicker(async () => false);
    const share = await shareOf(
      () => workOf("foreign", importing),
      () => workOf(undefined),
    );
    expect(share).toBeGreaterThan(0.7);
  });
});

test("hashing does not block the thread of the event loop", async () => {
  const shares: number[] = [];
  do {
    const ofProcess = process.cpuUsage();
    const ofThread = process.threadCpuUsage();
    await Promise.all(Array.from({ length: 2 }, () => passwords.hash("x")));
    shares.push(sum(process.threadCpuUsage(ofThread)) / sum(process.cpuUsage(ofProcess)));
  } while (shares.length < 3 && Math.min(...shares) >= 0.05);
  // A share, 20 ms where two hashes cost 400: milliseconds would depend on the machine, and a single attempt on garbage
  // collection.
  expect(Math.min(...shares)).toBeLessThan(0.05);
});

const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system;
