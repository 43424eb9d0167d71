import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { User } from "../model.ts";
import {
  administratorsAmong,
  adminUpdate,
  isActiveAdministrator,
  newUser,
  ownUpdate,
  publicUser,
  unlocked,
  userKey,
} from "./account.ts";
import { accountMailText } from "./mails.ts";
import { isBlockedName, isValidName } from "./names.ts";
import { isSmall, preferencesOf } from "./preferences.ts";
import { addKey, countMail, isAddressOf, liveKeys, RECOVERY_LIFE } from "./recovery.ts";

const user = (members: Partial<User> = {}): User => ({
  id: "joe",
  username: "Joe",
  full_name: "Joe",
  email: "joe@example.com",
  password: "hash",
  active: 1,
  privileges: {},
  roles: [],
  categories: [],
  groups: [],
  created: 1,
  modified: 1,
  ...members,
});

describe("the key of an account", () => {
  test.each([
    ["J.Doe", "jdoe"],
    ["jdoe", "jdoe"],
    ["J-D.o_e9", "jdo_e9"],
    ["...", ""],
  ])("of %s is %j", (name, key) => {
    expect(userKey(name)).toBe(key);
  });

  test("stays the same when computed again", async () => {
    await fc.assert(
      fc.property(fc.string(), (name) => {
        expect(userKey(userKey(name))).toBe(userKey(name));
      }),
    );
  });
});

test("an account is shown without key, hash, salt and counters", () => {
  const counters = { fl_date_code: 1, fl_count: 2, fp_date_code: 3, fp_count: 4 };
  const shown = publicUser(user({ ...counters, salt: "s", force_password_reset: 1 }));
  const { id: _id, password: _password, ...rest } = user({ force_password_reset: 1 });
  expect(shown).toEqual(rest);
});

describe("updates", () => {
  test("of the own settings change neither name nor address, and never rights", () => {
    const sent = { full_name: "X", email: "x@y", icon: "cat", volume: 1, privileges: { admin: true }, active: 0 };
    expect(ownUpdate(user(), sent, "settings")).toEqual(user({ icon: "cat", volume: 1, revision: 1 }));
    expect(ownUpdate(user(), sent, "profile")).toEqual(
      user({ icon: "cat", volume: 1, full_name: "X", email: "x@y", revision: 1 }),
    );
  });

  test("by an administrator cannot move an account or plant a hash by any member", async () => {
    await fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("id", "username", "created", "revision", "password", "salt", "unlock"),
          fc.string(),
        ),
        (sent) => {
          expect(adminUpdate(user(), sent, [])).toEqual(user({ revision: 1 }));
        },
      ),
    );
  });

  test("that unlock clear the lock and every counter and nothing else", () => {
    const locked = user({ force_password_reset: 1, fl_count: 9, fl_date_code: 1, fp_count: 1, fp_date_code: 1 });
    expect(unlocked(locked)).toEqual(user());
  });
});

test("a new account is active, has the default privileges and no restrictions", () => {
  const defaults = {
    password: "hash",
    now: 7,
    privileges: { a: true, b: false },
    preferences: { volume: 6 },
    roles: [],
  };
  const made = newUser({ username: "J.Doe", full_name: "J", email: "j@d" }, defaults);
  expect(made).toMatchObject({
    id: "jdoe",
    username: "J.Doe",
    active: 1,
    privileges: { a: true },
    volume: 6,
    roles: [],
  });
  const { searches } = made as { searches?: { name: string; icon: string; loc: string }[] };
  expect(searches).toHaveLength(10);
  expect(searches?.at(2)).toEqual({ name: "Errors", icon: "alert-decagram", loc: "#Search?result=error" });
  expect(searches?.at(-1)?.loc).toBe("#Tickets?query=status%3Adraft%20username%3AJ.Doe");
  const own = newUser({ username: "a", full_name: "A", email: "a@d" }, { ...defaults, preferences: { searches: [] } });
  expect(own["searches"]).toEqual([]);
});

test.each<[string, Partial<User>, boolean]>([
  ["with the privilege", { privileges: { admin: true } }, true],
  ["with it by a role", { roles: ["boss"] }, true],
  ["with it by a disabled role", { roles: ["off"] }, false],
  ["that is not active", { active: 0, privileges: { admin: true } }, false],
  ["with a falsy value", { privileges: { admin: 0 } }, false],
  ["that is locked out for now", { force_password_reset: 1, privileges: { admin: true } }, true],
])("an account %s is an active administrator: %#", (_name, members, expected) => {
  const roles = [
    { id: "boss", privileges: { admin: true } },
    { id: "off", enabled: false, privileges: { admin: true } },
  ];
  expect(isActiveAdministrator(user(members), roles)).toBe(expected);
});

test("administrators among many users are found without reading all roles for each user", () => {
  let looks = 0;
  const role = (id: string, privileges: Record<string, unknown>) => ({
    id,
    get privileges() {
      looks += 1;
      return privileges;
    },
  });
  const roles = Array.from({ length: 100 }, (_, index) => role(`r${index}`, { run_jobs: true }));
  const users = Array.from({ length: 1000 }, (_, index) =>
    user({ id: `u${index}`, roles: [index === 7 ? "boss" : "r1"] }),
  );
  const found = administratorsAmong(users, [...roles, role("boss", { admin: true })]);
  expect(found.map(({ id }) => id)).toEqual(["u7"]);
  expect(looks).toBeLessThan(1200);
});

test("names are matched against the installation's patterns, blocked ones in full and ignoring case", () => {
  expect(isValidName("a.b", "^[\\w\\-\\.]+$")).toBe(true);
  expect(isValidName("a b", "^[\\w\\-\\.]+$")).toBe(false);
  expect(isBlockedName("Root", "^(root|www)$")).toBe(true);
  expect(isBlockedName("rooted", "^(root|www)$")).toBe(false);
  expect(isBlockedName("root", "")).toBe(false);
});

test("preferences are selected by name", () => {
  expect(preferencesOf({ volume: 0, filters: {}, admin: true, language: undefined })).toEqual({
    volume: 0,
    filters: {},
  });
});

test("values that JSON cannot represent, or that are too long, are no preferences", () => {
  const ring: { self?: unknown } = {};
  ring.self = ring;
  expect([undefined, null, [], "x".repeat(65_534)].map(isSmall)).toEqual([true, true, true, true]);
  expect([ring, 5n, "x".repeat(65_535)].map(isSmall)).toEqual([false, false, false]);
});

describe("recovery keys", () => {
  test("live for a day, and a new one removes expired ones", () => {
    const keys = addKey(addKey([], "one", 0), "two", 10);
    expect(liveKeys(keys, RECOVERY_LIFE - 1)).toHaveLength(2);
    expect(liveKeys(keys, RECOVERY_LIFE).map(({ hash }) => hash)).toEqual(["two"]);
    expect(addKey(keys, "three", RECOVERY_LIFE).map(({ hash }) => hash)).toEqual(["two", "three"]);
  });

  test("are a hundred at most", () => {
    let keys = addKey([], "0", 0);
    for (let count = 1; count <= 150; count++) keys = addKey(keys, String(count), 0);
    expect(keys).toHaveLength(100);
    expect(keys.at(-1)?.hash).toBe("150");
  });

  test.each<[Partial<User>, number, number | undefined]>([
    [{}, 3, 1],
    [{ fp_date_code: 2, fp_count: 2 }, 3, 3],
    [{ fp_date_code: 2, fp_count: 3 }, 3, undefined],
    [{ fp_date_code: 1, fp_count: 3 }, 3, 1],
    [{}, 0, undefined],
  ])("after %j and with %i an hour, mail number %s is sent", (members, maximum, expected) => {
    expect(countMail(user(members), 2.5 * 3600, maximum)?.fp_count).toBe(expected);
  });

  test("go to no one without an address", () => {
    expect(isAddressOf(user({ email: "" }), "")).toBe(false);
    expect(isAddressOf(user(), "JOE@example.COM")).toBe(true);
  });
});

describe("mails about accounts", () => {
  const facts = {
    product: "Ops",
    url: "https://ops.example",
    username: "j&doe",
    fullName: "J\r\nBcc: x",
    ip: "",
    userAgent: "",
  };

  test.each(["welcome_new_user", "changed_password", "recover_password", "logout_all_sessions"] as const)(
    "%s names the product and the account, and no name breaks its line",
    (template) => {
      const { subject, text, html } = accountMailText(template, { ...facts, product: "Ops\nTo: y" });
      expect(subject).toContain("Ops To: y");
      expect(text).toMatch(/^Hello J Bcc: x,\n/m);
      expect(text).toContain("j&doe");
      expect(html).toContain("<p>Hello J Bcc: x,</p>");
      expect(html).toContain("j&amp;doe");
    },
  );

  test("contain name and key in the address of a reset", () => {
    const { text, html } = accountMailText("recover_password", { ...facts, key: "abc" });
    expect(text).toContain("https://ops.example/#Login?u=j%26doe&h=abc\n");
    expect(html).toContain('href="https://ops.example/#Login?u=j%26doe&amp;h=abc">Choose a Password</a>');
  });

  test("give the number of ended sessions and where it was requested", () => {
    const from = { ip: "10.0.0.1", userAgent: "x".repeat(500), sessions: 3 };
    const { text } = accountMailText("logout_all_sessions", { ...facts, ...from });
    expect(text).toContain("were ended (3).");
    expect(text).toContain(`Address: 10.0.0.1\nProgram: ${"x".repeat(200)}\n`);
    const { html } = accountMailText("logout_all_sessions", { ...facts, ...from, userAgent: "<b>[x](http://y)" });
    expect(html).toContain("<p>Address: 10.0.0.1<br>\nProgram: &lt;b&gt;[x](http://y)</p>");
  });
});
