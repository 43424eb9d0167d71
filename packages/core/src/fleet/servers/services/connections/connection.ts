import { newPing, type Ping } from "../../../../lib/network/echo.ts";
import type { AgentLink } from "../../../../ports/agents/agent-transport.ts";
import type { Hello } from "../../rules/joining/hello.ts";
import { type Burst, newBurst } from "./traffic.ts";

/** One socket of an agent, with its progress in the handshake (docs/contract/satellites.md#handshake). */
export interface Connection {
  readonly link: AgentLink;
  phase: "new" | "greeted" | "joining" | "joined" | "closed";
  /** Milliseconds of the monotonic clock. */
  readonly openedMs: number;
  nonce: string;
  /** Id of the server, once our hello has assigned it. */
  id: string;
  /** The agent had no id yet. */
  isNew: boolean;
  /** Normalised hostname. */
  hostname: string;
  hello: Hello | undefined;
  /** It joined with an earlier key. */
  needsToken: boolean;
  /** Number of servers that the agent was last sent. */
  toldServers: number;
  readonly ping: Ping;
  readonly burst: Burst;
}

export function openConnection(link: AgentLink, openedMs: number): Connection {
  return {
    link,
    phase: "new",
    openedMs,
    nonce: "",
    id: "",
    isNew: false,
    hostname: "",
    hello: undefined,
    needsToken: false,
    toldServers: 0,
    burst: newBurst(),
    ping: newPing(),
  };
}
