import type { Cradle } from "../../../../kernel/container.ts";
import { membersOf } from "../../../../lib/json/is-object.ts";
import { Hello, normaliseHostname } from "../../rules/joining/hello.ts";
import type { Connection } from "../connections/connection.ts";
import { originOf } from "./arrivals.ts";
import { createAuthenticator } from "./authenticator.ts";
import { createMachineId } from "./machine-ids.ts";

/** The first two messages of an agent (docs/contract/satellites.md#handshake). */
export interface Handshake {
  hello(connection: Connection, data: unknown): void;
  join(connection: Connection, data: unknown): void;
  /** Tells the agent that it may not join, ever, and writes an activity row. Never rejects. */
  refuse(connection: Connection, refusal: Refusal): Promise<void>;
  /** Tells the agent of a deleted server to uninstall itself; false = the server was not deleted with its history. */
  dismiss(connection: Connection, id: string): boolean;
}

interface Refusal {
  readonly description: string;
  /** Description of the activity row. */
  readonly activity: string;
}

interface Options {
  readonly admit: (connection: Connection) => void;
  readonly close: (connection: Connection, reason: string) => void;
}

type Deps = Pick<
  Cradle,
  | ("agentKeys" | "bus" | "clock" | "config" | "deletedServers" | "ids" | "jobs" | "log" | "nodes" | "registry")
  | ("snapshot" | "storage" | "transact")
>;

export function createHandshake(deps: Deps, { admit, close }: Options): Handshake {
  const authenticator = createAuthenticator(deps);
  const refuse = createRefuse(deps, close);
  const dismiss = createDismiss(deps);
  const greeting = createGreeting(deps, close);
  return {
    refuse,
    dismiss,
    hello(connection, data) {
      if (connection.phase !== "new" && connection.phase !== "greeted") return;
      const hello = readHello(data);
      if (!hello) {
        close(connection, "Malformed hello message.");
        return;
      }
      if (dismiss(connection, hello.id)) return;
      const id = hello.id || deps.ids.short("s");
      if (connection.link.trusted && deps.storage.coordination.shared) greeting.machine(connection, hello, id);
      else greeting.agent(connection, hello, id);
    },
    join(connection, data) {
      if (connection.phase !== "greeted") return;
      const { link, hostname } = connection;
      const verdict = authenticator.verdict(connection, membersOf(data)["token"]);
      if (verdict === "accepted" || verdict === "renew") {
        connection.phase = "joining";
        connection.needsToken = verdict === "renew";
        admit(connection);
      } else if (verdict === "later") {
        link.send({ cmd: "retry", data: {} });
        close(connection, "Too many failed attempts.");
      } else {
        const activity = `Server authentication failure (mismatched secret keys): ${hostname} (${link.ip})`;
        void refuse(connection, { description: "Invalid authentication token.", activity });
      }
    },
  };
}

const createDismiss =
  ({ deletedServers }: Deps): Handshake["dismiss"] =>
  ({ link }, id) => {
    // The agent in this process cannot uninstall itself: each start of the host starts it again.
    const isDeleted = !link.trusted && deletedServers.has(id);
    // Not closed at once, so that the agent gets the message; without joining it has half a minute.
    if (isDeleted) link.send({ cmd: "uninstall", data: {} });
    return isDeleted;
  };

const createRefuse =
  ({ log, transact }: Deps, close: Options["close"]): Handshake["refuse"] =>
  async (connection, { description, activity }) => {
    const { link, hostname } = connection;
    link.send({ cmd: "auth_failure", data: { description } });
    close(connection, description);
    try {
      await transact(async ({ audit }) => audit("warning", { description: activity, hostname }), originOf(link.ip));
    } catch (error) {
      log.error({ error }, "A refusal was not recorded");
    }
  };

/** Answers the hello of an agent with the id that it has from then on. */
function createGreeting(deps: Deps, close: Options["close"]) {
  const { ids, log } = deps;
  const machineId = createMachineId(deps);
  const agent = (connection: Connection, hello: Hello, id: string): void => {
    const hostname = normaliseHostname(hello.hostname);
    Object.assign(connection, { hello, hostname, id, isNew: hello.id === "", nonce: ids.hex(), phase: "greeted" });
    // Does not say whether the id is taken: otherwise anyone could probe all ids, and flood the log.
    connection.link.send({ cmd: "hello", data: { nonce: connection.nonce, id } });
  };
  return {
    agent,
    /** For the agent in this process: other machines may share the database, so its id is negotiated. */
    machine(connection: Connection, hello: Hello, wanted: string): void {
      machineId(wanted, hello.hostname).then(
        (id) => {
          if (connection.phase !== "closed") agent(connection, hello, id);
        },
        (error: unknown) => {
          log.error({ server: wanted, error }, "The machine of this process could not be named");
          close(connection, "The machine of this process could not be named.");
        },
      );
    },
  };
}

function readHello(data: unknown): Hello | undefined {
  const parsed = Hello.safeParse(data);
  return parsed.success && normaliseHostname(parsed.data.hostname) !== "" ? parsed.data : undefined;
}

/** Refusal for an id that belongs to a connected server with another hostname. */
export function duplicate({ id, hostname }: Connection): Refusal {
  const text = `Server with duplicate ID attempting to connect to the network: ${id} (${hostname})`;
  return { description: text, activity: text };
}
