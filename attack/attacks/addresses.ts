/** Callers behind a proxy who claim a different address with every attempt. */
import { jsonCall } from "../server/http.ts";
import { ADMIN_PASSWORD } from "../server/start.ts";
import type { Attack, Part, Stage } from "../stage/attack.ts";
import { readMembers } from "../stage/stage.ts";

const ATTEMPTS = 40;
const AFTERWARDS = 60;
const PASSWORD = "the right password of atk_user";

type Headers = Readonly<Record<string, string>>;

/** Headers that a proxy on this machine passes on for a caller at `real` who adds forged ones. */
const FORGERIES: readonly ((claimed: string, real: string) => Headers)[] = [
  (claimed, real) => ({ "X-Forwarded-For": `${claimed}, ${real}` }),
  (claimed, real) => ({ "X-Forwarded-For": `${claimed}, 127.0.0.1, ${real}` }),
  (claimed, real) => ({ "X-Forwarded-For": real, "X-Real-IP": claimed }),
  (claimed, real) => ({ "X-Forwarded-For": real, "X-Client-IP": claimed }),
  (claimed, real) => ({ "X-Forwarded-For": real, "CF-Connecting-IP": claimed }),
  (claimed, real) => ({ "X-Forwarded-For": real, "True-Client-IP": claimed }),
  (claimed, real) => ({ "X-Forwarded-For": real, "X-Cluster-Client-IP": claimed }),
  (claimed, real) => ({ "X-Forwarded-For": `unknown, "${claimed}", ${real}` }),
];

const forged = (turn: number, real: string): Headers => {
  const forge = FORGERIES[turn % FORGERIES.length] ?? FORGERIES[0];
  return forge?.(`198.51.${Math.floor(turn / 250)}.${(turn % 250) + 1}`, real) ?? {};
};

const login = (stage: Stage, username: string, password: string, headers: Headers) =>
  stage.ask(jsonCall("/api/user/login/v1", { username, password }, headers));

async function allRefused(
  stage: Stage,
  what: string,
  attempt: (turn: number) => Promise<{ text: string }>,
): Promise<void> {
  let passed = 0;
  for (let turn = 0; turn < AFTERWARDS; turn++) {
    const { text } = await attempt(ATTEMPTS + turn);
    if (JSON.parse(text).code === 0) passed += 1;
  }
  stage.must(passed === 0, `${AFTERWARDS - passed} of ${AFTERWARDS} ${what} were refused after ${ATTEMPTS} failures`);
}

const logins: Attack = {
  name: "a stranger guesses passwords and claims another address with every attempt",
  by: "strangers",
  short: true,
  async run(stage) {
    await stage.api("/api/user/admin_create/v1", {
      username: "atk_user",
      password: PASSWORD,
      full_name: "Attacked",
      email: "atk@example.invalid",
      active: true,
      privileges: {},
    });
    const real = "203.0.113.10";
    for (let turn = 0; turn < ATTEMPTS; turn++) await login(stage, "atk_user", `wrong ${turn}`, forged(turn, real));
    await allRefused(stage, "logins", (turn) => login(stage, "atk_user", PASSWORD, forged(turn, real)));
  },
};

const MAGIC_KEY = "attacked-magic-key-0123456789";

const magicLinks: Attack = {
  name: "a stranger guesses keys of magic links and claims another address with every attempt",
  by: "strangers",
  short: true,
  async run(stage) {
    await stage.api("update_event", {
      id: "atk_event",
      triggers: [
        { type: "manual", enabled: true },
        { type: "magic", enabled: true, key: MAGIC_KEY },
      ],
    });
    const real = "203.0.113.20";
    const ask = (key: string, turn: number) =>
      stage.ask({ method: "POST", path: `/api/app/magic/v1/${key}`, headers: forged(turn, real) });
    const { text } = await stage.ask({ method: "POST", path: `/api/app/magic/v1/${MAGIC_KEY}` });
    stage.must(JSON.parse(text).code === 0, `the right key does not work: ${text}`);
    for (let turn = 0; turn < ATTEMPTS; turn++) await ask(`wrong-magic-key-000000000${turn}`, turn);
    await allRefused(stage, "keys", (turn) => ask(MAGIC_KEY, turn));
  },
};

const PINGS_A_MINUTE = 60;

const heartbeats: Attack = {
  name: "a stranger floods the address of a heartbeat with texts, and guesses others",
  by: "strangers",
  short: true,
  async run(stage) {
    const [flooded, other] = [
      await stage.api("create_heartbeat", { title: "Flooded", every: 60 }),
      await stage.api("create_heartbeat", { title: "Beside it", every: 60 }),
    ];
    const ask = (token: unknown, body: string) =>
      stage.ask({ method: "POST", path: `/api/app/heartbeat/${token}`, body });
    const statuses: number[] = [];
    for (let turn = 0; turn < PINGS_A_MINUTE + ATTEMPTS; turn++)
      // A different run each time: a request repeated within a second counts once.
      statuses.push((await ask(`${flooded["token"]}?run=${turn}`, `[{"${"x".repeat(60_000)}`)).status);
    const taken = statuses.filter((status) => status === 200).length;
    const refused = statuses.filter((status) => status === 429).length;
    stage.must(
      taken === PINGS_A_MINUTE && refused === ATTEMPTS,
      `${taken} calls of a heartbeat were taken and ${refused} refused: ${[...new Set(statuses)]}`,
    );
    for (let turn = 0; turn < ATTEMPTS; turn++) {
      const { status } = await ask(`${turn}`.padStart(43, "x"), "");
      stage.must(status === 404, `a guessed heartbeat answers ${status}`);
    }
    const { status } = await ask(other["token"], "fine");
    stage.must(status === 200, `a heartbeat beside a flooded one answers ${status}`);
  },
};

const LINKS_A_MINUTE = 30;

const ackLinks: Attack = {
  name: "a stranger guesses links that acknowledge, with every method and long comments",
  by: "strangers",
  short: true,
  async run(stage) {
    const statuses: number[] = [];
    for (let turn = 0; turn < LINKS_A_MINUTE + ATTEMPTS; turn++) {
      const path = `/api/app/ack/${`${turn}`.padStart(100, "x")}`;
      const isForm = turn % 2 === 0;
      const form = isForm ? { method: "POST", body: JSON.stringify({ comment: "x".repeat(9000) }) } : { method: "GET" };
      statuses.push((await stage.ask({ ...form, path })).status);
    }
    const unknown = statuses.filter((status) => status === 404).length;
    const refused = statuses.filter((status) => status === 429).length;
    stage.must(
      unknown === LINKS_A_MINUTE && refused === ATTEMPTS,
      `${unknown} guessed links were looked at and ${refused} refused: ${[...new Set(statuses)]}`,
    );
  },
};

const at = (address: string): Headers => ({ "X-Forwarded-For": address });

const lockOut: Attack = {
  name: "a stranger fails to log in as the administrator again and again",
  by: "strangers",
  short: true,
  async run(stage) {
    for (let turn = 0; turn < 8; turn++) await login(stage, "admin", "wrong", at("203.0.113.30"));
    const { text } = await login(stage, "admin", ADMIN_PASSWORD, at("203.0.113.31"));
    stage.must(JSON.parse(text).code === 0, `the administrator cannot log in any more: ${text}`);
  },
};

const enumeration: Attack = {
  name: "a stranger compares the answers for an account with those for none",
  by: "strangers",
  short: true,
  async run(stage) {
    const answersFor = async (username: string, address: string): Promise<string[]> => {
      const answers: string[] = [];
      for (let turn = 0; turn < 9; turn++) {
        const answer = await login(stage, username, "wrong", at(address));
        answers.push(`${answer.status} ${JSON.stringify(readMembers(answer))}`);
      }
      return answers;
    };
    const known = await answersFor("admin", "203.0.113.40");
    const unknown = await answersFor("nobody", "203.0.113.41");
    for (const [index, answer] of known.entries())
      stage.must(
        answer === unknown[index],
        `attempt ${index + 1}: ${answer} for an account, ${unknown[index]} for none`,
      );
  },
};

export const addresses: Part = {
  id: "addresses",
  title: "Forged addresses and guessing",
  attacks: [logins, magicLinks, heartbeats, ackLinks, lockOut, enumeration],
};
