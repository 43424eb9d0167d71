import { describe, expect, test } from "vitest";
import { startWithAccounts } from "../../../../test/directory/accounts.ts";
import { refusalOf, START } from "../../../../test/engine.ts";
import { shared } from "../../../../test/shared.ts";
import type { ConfigInput } from "../../../engine/config.ts";
import type { Mail } from "../../../ports/outside/mailer.ts";

async function setUp(User: NonNullable<ConfigInput["User"]> = {}, config: ConfigInput = {}) {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const at = await startWithAccounts({ mailer, config: { presets: false, User, client: { name: "Ops" }, ...config } });
  await at.addUser("Joe.Doe");
  return { ...at, mails };
}

describe("registering an account", () => {
  const sent = { username: "New.One", email: " new@example.com ", full_name: "New <i>One</i>", password: "secret" };

  test("is refused unless the installation allows it", async () => {
    await using at = await setUp();
    expect((await at.call("user/create", sent)).body).toEqual({
      code: "user",
      description: "Only administrators can create new users.",
    });
  });

  test("gives the default privileges and ignores all but the four members", async () => {
    await using at = await setUp(
      { free_accounts: true },
      {
        default_user_privileges: { run_jobs: true, edit_tags: false },
        default_user_prefs: { language: "de", searches: [], privileges: { admin: true } },
      },
    );
    const forged = {
      privileges: { admin: true },
      roles: ["boss"],
      active: 0,
      categories: ["c"],
      language: "en",
      id: "x",
    };
    expect((await at.call("user/create", { ...sent, ...forged })).body).toEqual({ unknown: Object.keys(forged) });
    const { password, ...user } = (await at.user("newone")) ?? {};
    expect(user).toEqual({
      id: "newone",
      username: "New.One",
      full_name: "New One",
      email: "new@example.com",
      icon: "",
      active: 1,
      language: "de",
      searches: [],
      privileges: { run_jobs: true },
      roles: [],
      categories: [],
      groups: [],
      created: START,
      modified: START,
      revision: 1,
    });
    expect(password).toMatch(/^scrypt\$16\$8\$1\$/);
    expect((await at.login("new.one", "secret")).body.username).toBe("New.One");
    const row = (await at.activity()).find(
      ({ action, username }) => action === "user_create" && username === "New.One",
    );
    expect(row).toMatchObject({ user: { username: "New.One" }, keywords: expect.arrayContaining(["New_One"]) });
    expect(JSON.stringify(row)).not.toContain("scrypt$");
  });

  test("is welcomed by a mail without the password", async () => {
    await using at = await setUp({ free_accounts: true });
    await at.call("user/create", sent);
    await at.clock.advance(1);
    expect(at.mails).toMatchObject([{ from: "admin@localhost", to: ["new@example.com"], subject: "Welcome to Ops" }]);
    expect(at.mails[0]?.text).toContain("Your user name is New.One.");
    expect(at.mails[0]?.text).not.toContain("secret");
  });

  const unchanged = shared(() => setUp({ free_accounts: true }));
  test.each<[object, string, string]>([
    [{ username: "ADMIN" }, "user", "Username is blocked: ADMIN"],
    [{ username: "__proto__" }, "user", "Username is blocked: __proto__"],
    [{ username: "joedoe" }, "user", "User already exists: joedoe"],
    [{ username: "J.O.E.D.O.E" }, "user", "User already exists: J.O.E.D.O.E"],
    [{ username: "..." }, "api", "Malformed parameter: username"],
    [{ username: "a b" }, "api", "Malformed parameter: username"],
    [{ username: "ä" }, "api", "Malformed parameter: username"],
    [{ username: "x".repeat(65) }, "api", "Malformed parameter: username"],
    [{ username: 7 }, "api", "Parameter is not type string: username"],
    [{ email: "nobody" }, "api", "Malformed parameter: email"],
    [{ email: null }, "api", "Missing parameter: email"],
    [{ full_name: "<b>" }, "api", "Malformed parameter: full_name"],
    [{ full_name: "x".repeat(257) }, "api", "Malformed parameter: full_name"],
    [{ password: "" }, "api", "Malformed parameter: password"],
  ])("with %j is refused", async (members, code, description) => {
    const at = await unchanged();
    expect((await at.call("user/create", { ...sent, ...members })).body).toEqual({ code, description });
  });

  test("refuses a short password where longer ones are required", async () => {
    await using at = await setUp({ free_accounts: true, min_password_length: 7 });
    expect((await at.call("user/create", sent)).body.description).toBe("Malformed parameter: password");
  });

  test("by two concurrent calls with one name creates one account", async () => {
    await using at = await setUp({ free_accounts: true });
    const answers = await Promise.all([at.call("user/create", sent), at.call("user/create", sent)]);
    expect(answers.map(({ body }) => body.code ?? "made").toSorted()).toEqual(["made", "user"]);
  });

  test("reveals 30 taken names to an address in ten minutes and no more", async () => {
    await using at = await setUp({ free_accounts: true });
    const taken = { ...sent, username: "joedoe" };
    const answers: string[] = [];
    for (let n = 0; n < 31; n++) answers.push((await at.call("user/create", taken)).body.description);
    expect(new Set(answers.slice(0, 30))).toEqual(new Set(["User already exists: joedoe"]));
    expect(answers[30]).toBe("Too many failed attempts.  Please try again later.");
  });
});

describe("an account that an administrator creates", () => {
  const sent = { username: "New.One", email: "new@example.com", full_name: "New One", password: "secret" };

  test("loses invalid characters of its icon", async () => {
    await using at = await setUp();
    await at.api.userAdminCreate({ ...sent, icon: "a <b>!-c" });
    expect((await at.user("newone"))?.icon).toBe("ab-c");
    const { user } = await at.api.userAdminUpdate({ username: sent.username, icon: "ä/cat" });
    expect(user.icon).toBe("cat");
  });

  test.each([
    ["username", {}],
    ["email", { username: "a" }],
    ["full_name", { username: "a", email: "a@b.c" }],
    ["password", { username: "a", email: "a@b.c", full_name: "A" }],
  ])("without %s and later members is refused for that member", async (missing, members) => {
    await using at = await setUp();
    const call = at.api.userAdminCreate(members as typeof sent);
    expect(await refusalOf(call)).toEqual({ code: "api", description: `Missing parameter: ${missing}` });
  });
});
