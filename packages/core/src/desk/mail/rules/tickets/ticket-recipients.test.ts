import { describe, expect, test } from "vitest";
import { changeRecipients, overdueRecipients, type Recipient } from "./ticket-recipients.ts";

const account = (id: string, members: Partial<Recipient> = {}): Recipient => ({
  ...{ id, full_name: `${id} Person`, email: `${id}@example.com`, active: true },
  ...members,
});
const accounts = [
  account("ann"),
  account("bob", { active: 0 }),
  account("cleo", { email: "" }),
  account("dan", { mail_own_changes: false }),
  account("eve", { full_name: 'Lee, "Eve"\r\nBcc: x@example.com' }),
];
const accountOf = (name: string) => accounts.find(({ id }) => id === name.toLowerCase());
const ticket = (members: Partial<Record<"notify" | "assignees" | "cc", string[]>>) => ({
  ...{ notify: [], assignees: [], cc: [] },
  ...members,
});
const to = (members: Parameters<typeof ticket>[0], authors = ["ann"]) =>
  changeRecipients(ticket(members), { accountOf, authors });

describe("recipients of a change", () => {
  test.each<[string, Parameters<typeof ticket>[0], string[]]>([
    [
      "addresses of notify, as given",
      { notify: ["x@example.com", "Y <y@example.com>"] },
      ["x@example.com", '"Y" <y@example.com>'],
    ],
    ["assignees by full name and address", { assignees: ["ANN"] }, ['"ann Person" <ann@example.com>']],
    [
      "cc by user name and by address",
      { cc: ["ann", "z@example.com"] },
      ['"ann Person" <ann@example.com>', "z@example.com"],
    ],
    ["the author of the change", { assignees: ["ann"] }, ['"ann Person" <ann@example.com>']],
    ["no unknown, disabled or unreachable people", { assignees: ["nobody", "bob", "cleo"], cc: ["bob"] }, []],
    [
      "one person once, in any case of letters",
      { notify: ["ANN@Example.com"], assignees: ["ann"], cc: ["ann"] },
      ["ANN@Example.com"],
    ],
    [
      "all others beside an entry with an open quote",
      {
        notify: ['"Ops <ops@example.com>', "x@example.com"],
        assignees: ["ann"],
        cc: ['z"@example.com', "y@example.com"],
      },
      ['"Ops" <ops@example.com>', "x@example.com", '"ann Person" <ann@example.com>', "y@example.com"],
    ],
    ["no text that is no address", { notify: ["nonsense", "a b@c"], cc: ["@"] }, []],
  ])("are %s", (_what, members, expected) => {
    expect(to(members)).toEqual(expected);
  });

  test("cannot inject a header with a name", () => {
    expect(to({ assignees: ["eve"] })).toEqual(['"Lee, Eve Bcc: x@example.com" <eve@example.com>']);
  });

  test("leave out the author whose account wants no mail about own changes, by account and by address", () => {
    expect(to({ assignees: ["dan", "ann"], notify: ["DAN@example.com"] }, ["Dan", "dan"])).toEqual([
      '"ann Person" <ann@example.com>',
    ]);
  });

  test("keep that author when another person changed something too", () => {
    expect(to({ assignees: ["dan"] }, ["dan", "ann"])).toEqual(['"dan Person" <dan@example.com>']);
    expect(to({ assignees: ["dan"] }, ["system"])).toEqual(['"dan Person" <dan@example.com>']);
  });
});

test("of an overdue notice are only its assignees, with or without mail about own changes", () => {
  const all = { ...ticket({ notify: ["x@example.com"], cc: ["ann"], assignees: ["dan", "bob"] }) };
  expect(overdueRecipients(all, { accountOf })).toEqual(['"dan Person" <dan@example.com>']);
});
