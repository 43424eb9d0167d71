import type { Cradle } from "../../kernel/container.ts";
import { SignalboxError } from "../../kernel/errors/errors.ts";

export const PING_KIND = "node.ping";

/** Whether a node answers a question of this kind; one of a release that does not know the question has answered, too. */
export const answers = ({ bus }: Pick<Cradle, "bus">, node: string): Promise<boolean> =>
  bus.ask({ node, kind: PING_KIND, body: {}, server: node }).then(
    () => true,
    (error: unknown) => error instanceof SignalboxError && error.code === "unknown",
  );
