import type { Cradle } from "../../kernel/container.ts";
import { SignalboxError } from "../../kernel/errors/errors.ts";

export const PING_KIND = "node.ping";

/** Pings a node. Also true for a node of an older release that refuses the unknown question: it did answer. */
export const answers = ({ bus }: Pick<Cradle, "bus">, node: string): Promise<boolean> =>
  bus.ask({ node, kind: PING_KIND, body: {}, server: node }).then(
    () => true,
    (error: unknown) => error instanceof SignalboxError && error.code === "unknown",
  );
