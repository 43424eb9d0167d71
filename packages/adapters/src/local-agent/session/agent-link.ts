import type { AgentLink, AgentMessage, AgentTransportContext } from "@signalbox/core/adapter";

/**
 * A link made of two functions. Messages arrive in order, each in its own turn of the event loop, so that neither side is
 * re-entered.
 */
export interface LocalLink {
  readonly link: AgentLink;
  readonly isOpen: () => boolean;
  /** Sends a message to the node; does nothing when the link is closed. */
  post(cmd: string, data: unknown): void;
  /** Closes the link from this side. */
  end(): void;
}

export interface LinkEnds {
  /** Takes a message of the node. */
  readonly receive: (message: AgentMessage) => void;
  /** The node closed the link. */
  readonly closed: () => void;
}

function handOver(message: AgentMessage, receive: LinkEnds["receive"], log: AgentTransportContext["log"]): void {
  try {
    receive(message);
  } catch (error) {
    log.error({ error, cmd: message.cmd }, "Local agent failed on a message");
  }
}

export function createLocalLink(context: AgentTransportContext, { receive, closed }: LinkEnds): LocalLink {
  const { receiver, ids, log } = context;
  let open = true;
  const deliver = (message: AgentMessage): void => {
    if (open) handOver(message, receive, log);
  };
  const end = (): void => {
    if (!open) return;
    open = false;
    receiver.disconnected(link);
  };
  const link: AgentLink = {
    id: ids.short("l"),
    ip: "127.0.0.1",
    trusted: true,
    send(message) {
      if (!open) return false;
      queueMicrotask(() => deliver(message));
      return true;
    },
    close(reason) {
      if (!open) return;
      log.info({ reason }, "Local agent was disconnected");
      end();
      queueMicrotask(closed);
    },
  };
  receiver.connected(link);
  return {
    link,
    isOpen: () => open,
    post(cmd, data) {
      if (open) receiver.received(link, { cmd, data });
    },
    end,
  };
}
