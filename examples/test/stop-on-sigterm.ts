import type { Logger, Signalbox } from "@signalbox/core";

interface Stoppable {
  readonly signalbox: Pick<Signalbox, "stop">;
  readonly server: { close(): unknown };
  readonly log: Logger;
  /** Other nodes take over first, while callers are served still. */
  readonly drain?: boolean;
}

/** Ends a host as its supervisor would ask it to: no new requests come in, running ones are finished. */
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
