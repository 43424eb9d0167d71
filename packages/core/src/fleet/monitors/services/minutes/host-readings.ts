import { type HostReadings, mergeReadings } from "../../rules/minutes/host-readings.ts";

type Data = Readonly<Record<string, unknown>>;

/** Readings that the host reports about itself; they are added to the samples of the server it runs on. */
export interface HostReadingStore {
  /** A value stays until it is replaced or removed. Throws `TypeError`. */
  report(readings: HostReadings): void;
  /** `isLocal` = the server's agent runs in this process. */
  joined(server: string, isLocal: boolean): void;
  gone(server: string): void;
  /** The data of a server; for the local one with the readings as member `host`. */
  added(server: string, data: Data): Data;
}

export function createHostReadings(): HostReadingStore {
  const local = new Set<string>();
  let known: ReadonlyMap<string, number | string> = new Map();
  let host: Data = {};
  return {
    report(readings) {
      known = mergeReadings(known, readings);
      host = Object.fromEntries(known);
    },
    joined(server, isLocal) {
      if (isLocal) local.add(server);
      else local.delete(server);
    },
    gone: (server) => void local.delete(server),
    added: (server, data) => (known.size > 0 && local.has(server) ? { ...data, host } : data),
  };
}
