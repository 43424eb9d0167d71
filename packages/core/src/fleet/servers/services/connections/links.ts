import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import { answered } from "../../../../lib/network/echo.ts";
import type { AgentLink, AgentMessage, AgentReceiver } from "../../../../ports/agents/agent-transport.ts";
import type { Handshake } from "../joining/handshake.ts";
import { type Connection, openConnection } from "./connection.ts";
import { createLiveness } from "./liveness.ts";

/** All sockets of agents. Decides which messages are allowed in each phase, and checks liveness. */
export interface Links {
  readonly receiver: AgentReceiver;
  /** Ends a connection at once; later reports of the transport about it are ignored. */
  close(connection: Connection, reason: string): void;
  /** Sends echoes, and ends connections that do not answer them, in slices of time; call it once a second. */
  tick(): Promise<void>;
  /** True = no agent is connected. */
  isIdle(): boolean;
}

interface Options {
  readonly handshake: () => Handshake;
  /** A message of a server that has joined. */
  readonly received: (connection: Connection, message: AgentMessage) => void;
  /** Called once a second for each joined server. */
  readonly looked: (connection: Connection) => void;
  /** A connection that had joined has ended. */
  readonly left: (connection: Connection) => void;
}

type Deps = Pick<Cradle, "clock" | "config" | "ids" | "log">;

export function createLinks(deps: Deps, options: Options): Links {
  const connections = new Map<AgentLink, Connection>();
  const reasonToEnd = createLiveness(deps);
  const end = (connection: Connection): void => {
    const { phase, link } = connection;
    connections.delete(link);
    connection.phase = "closed";
    if (phase === "joined") options.left(connection);
  };
  const close: Links["close"] = (connection, reason) => {
    if (connection.phase === "closed") return;
    end(connection);
    connection.link.close(reason);
  };
  const deliver = createDelivery(deps, options);
  return {
    close,
    receiver: {
      connected: (link) => void connections.set(link, openConnection(link, deps.clock.monotonicMs())),
      received(link, message) {
        const connection = connections.get(link);
        if (connection) deliver(connection, message);
      },
      disconnected(link) {
        const connection = connections.get(link);
        if (connection) end(connection);
      },
    },
    isIdle: () => connections.size === 0,
    async tick() {
      const breathe = createBreath(deps.clock);
      for (const connection of [...connections.values()]) {
        const reason = reasonToEnd(connection);
        if (reason !== undefined) close(connection, reason);
        else if (connection.phase === "joined") options.looked(connection);
        await breathe();
      }
    },
  };
}

/** Hands a message to the part that takes it in the connection's phase. Never throws. */
function createDelivery({ clock, log }: Deps, { handshake, received }: Options) {
  const dispatch = (connection: Connection, message: AgentMessage): void => {
    const { cmd, data } = message;
    if (cmd === "hello") handshake().hello(connection, data);
    else if (cmd === "join") handshake().join(connection, data);
    // Before authentication all other messages are ignored.
    else if (connection.phase !== "joined") return;
    else if (cmd === "echoback") answered(connection.ping, data, clock.monotonicMs());
    else received(connection, message);
  };
  return (connection: Connection, message: AgentMessage): void => {
    try {
      dispatch(connection, message);
    } catch (error) {
      log.error({ server: connection.id, cmd: message.cmd, error }, "A message of an agent could not be handled");
    }
  };
}
