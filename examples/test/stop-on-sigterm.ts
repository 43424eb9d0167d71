import type { Logger, Signalbox } from "@signalbox/core";

interface Stoppable {
  readonly signalbox: Pick<Signalbox, "stop">;
  readonly server: { close(): unknown };
  readonly log: Logger;
}

/** Ends a host as its supervisor would ask it to: nothing new comes in, what runs is finished. */
export function stopOnSigterm({ signalbox, server, log }: Stoppable): void {
  process.once("SIGTERM", () => {
    server.close();
    signalbox.stop().then(
      () => process.exit(0),
      (error: Error) => {
        log.error({ error }, "Signalbox did not stop cleanly");
        process.exit(1);
      },
    );
  });
}
