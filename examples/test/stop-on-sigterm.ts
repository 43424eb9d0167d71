import type { Logger, Signalbox } from "@signalbox/core";

interface Stoppable {
  readonly signalbox: Pick<Signalbox, "stop">;
  readonly server: { close(): unknown };
  readonly log: Logger;
  /** Other nodes take over first, while callers are still served. */
  readonly drain?: boolean;
}

/** Stops a host when its supervisor asks: no new requests are accepted, running ones finish. */
export function stopOnSigterm({ signalbox, server, log, drain = false }: Stoppable): void {
  process.once("SIGTERM", () => {
    if (!drain) server.close();
    signalbox.stop({ drain }).then(
      () => process.exit(0),
      (error: Error) => {
        log.error({ error }, "Signalbox did not stop cleanly");
        process.exit(1);
      },
    );
  });
}
