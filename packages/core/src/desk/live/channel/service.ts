import { type Actor, localClient } from "../../../kernel/calls/context.ts";
import { credentials } from "../../../kernel/calls/operation.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError, SessionError } from "../../../kernel/errors/errors.ts";
import { knownError } from "../../../kernel/errors/known-error.ts";
import { answered, echoDue, newPing, type Ping, unansweredMs } from "../../../lib/network/echo.ts";
import type { AgentMessage, Channel, OpenChannel } from "../../../ports/agents/agent-transport.ts";
import { MAX_PAGES } from "../rules/page.ts";
import type { Subscription } from "../service.ts";
import { sendable } from "../services/telling/audiences.ts";
import { isReconnect, MAX_LOC, pagesOfNav } from "./messages.ts";

/** WebSocket channels of pages (docs/contract/live.md#websocket). */
export interface PageChannels {
  /** Opens a channel for a socket whose first message was `authenticate`. */
  readonly open: OpenChannel;
  /** Sends the echoes that are due, and closes channels that do not answer. Must be called once a second. */
  tick(): void;
  /** True = no channel is open. */
  isIdle(): boolean;
}

/** One channel. */
interface State {
  readonly socket: Parameters<OpenChannel>[0];
  /** Aborted when the socket is closed. */
  readonly gone: AbortController;
  readonly ping: Ping;
  /** Pages in the client's last message. */
  pages: readonly string[];
  /** Undefined until the client is authenticated. */
  stream: Subscription | undefined;
  /** The stream is being updated with the pages; the same round picks up later ones. */
  isLooking: boolean;
}

type Deps = Pick<Cradle, "clock" | "config" | "gatekeeper" | "ids" | "live" | "log" | "storageHealth">;

const BAD_NAV = `user_nav: loc is up to ${MAX_PAGES} pages, one a line, of ${MAX_LOC} characters together.`;
const OPERATION = "stream_updates";

export function createPageChannels(deps: Deps): PageChannels {
  const { clock, config } = deps;
  const channels = new Set<State>();
  const newId = (): string => deps.ids.short("e");
  return {
    open(socket, first): Channel {
      const state: State = {
        socket,
        gone: new AbortController(),
        ping: newPing(),
        pages: [],
        stream: undefined,
        isLooking: false,
      };
      channels.add(state);
      begin(deps, state, isReconnect(first.data)).catch((error: unknown) => refuse(deps, state, error));
      return {
        received: (message) => receive(deps, state, message),
        disconnected() {
          channels.delete(state);
          state.gone.abort();
        },
      };
    },
    isIdle: () => channels.size === 0,
    tick() {
      const nowMs = clock.monotonicMs();
      const [everyMs, timeoutMs] = [config.ping_freq_sec * 1000, config.ping_timeout_sec * 1000];
      for (const { socket, stream, ping } of channels) {
        if (!stream) continue;
        const data = echoDue(ping, { nowMs, everyMs, newId });
        if (unansweredMs(ping, nowMs) >= timeoutMs) socket.close("Ping timeout.");
        else if (data && !stream.outbox.push(sendable({ cmd: "echo", data }))) stream.outbox.end("now");
      }
    },
  };
}

async function begin(deps: Deps, state: State, anew: boolean): Promise<void> {
  const { socket, gone } = state;
  const actor = await callerOf(deps, state);
  if (gone.signal.aborted) return;
  const { pages } = state;
  const left = (how: "after" | "now"): void => {
    if (how === "now") socket.terminate();
  };
  const stream = await deps.live.listen({ actor, pages, anew, signal: gone.signal, left });
  socket.accept();
  state.stream = stream;
  if (state.pages !== pages) look(deps, state, stream);
  for await (const frame of stream.outbox.frames()) if (!(await socket.send(frame))) break;
  socket.close("The channel has ended.");
}

/**
 * Authenticates the session of a socket. A browser always sends its own origin with a WebSocket, which protects against forged
 * requests.
 */
async function callerOf({ gatekeeper }: Deps, { socket: { ip, sessionId } }: State): Promise<Actor> {
  const client = { ...localClient, method: "GET", ip, ips: [ip] };
  const given = sessionId === undefined ? {} : { sessionId, sessionFromCookie: true };
  const actor = await gatekeeper.authenticate(given, client);
  gatekeeper.authorize(actor, credentials);
  return actor;
}

/**
 * Sends `auth_failure` only to a caller who is refused permanently, since its page then shows the login. All others reconnect later.
 */
async function refuse(deps: Deps, { socket, gone }: State, error: unknown): Promise<void> {
  if (gone.signal.aborted) return;
  const known = knownError(deps, error, { operation: OPERATION });
  const isStranger = known instanceof SessionError || (known instanceof DomainError && known.code === "user");
  if (isStranger) await socket.send(JSON.stringify({ cmd: "auth_failure", data: { description: known.description } }));
  socket.close(known.description);
}

function receive(deps: Deps, state: State, { cmd, data }: AgentMessage): void {
  const { socket, stream, ping } = state;
  if (cmd === "echoback") answered(ping, data, deps.clock.monotonicMs());
  if (cmd !== "user_nav") return;
  const pages = pagesOfNav(data);
  if (!pages) {
    socket.close(BAD_NAV);
    return;
  }
  state.pages = pages;
  if (stream) look(deps, state, stream);
}

/** Updates the stream with the pages that the client looks at. If these change during an update, only the latest ones follow. */
function look(deps: Deps, state: State, stream: Subscription): void {
  if (state.isLooking) return;
  state.isLooking = true;
  const round = async (): Promise<void> => {
    for (let told: readonly string[] | undefined; told !== state.pages; ) {
      told = state.pages;
      await stream.look(told);
    }
  };
  round()
    .catch((error: unknown) => refuse(deps, state, error))
    .finally(() => {
      state.isLooking = false;
    });
}
