import type { Probe, TcpProbe, WebHookClient } from "@signalbox/core/adapter";
import type { AddressPolicy } from "../address-policy.ts";
import { connect, type Found, listen, type ProbeContext } from "./connection.ts";
import { probeDns } from "./dns.ts";
import { probeTls } from "./tls.ts";

interface Parts extends Pick<ProbeContext, "clock" | "resolve" | "tls"> {
  readonly policyOf: (request: Pick<Probe, "targets">) => AddressPolicy;
}

/** Probes servers of protocols other than HTTP. Every address is checked before connecting. */
export function createProber({ policyOf, ...parts }: Parts): NonNullable<WebHookClient["probe"]> {
  return async (probe, signal) => {
    signal.throwIfAborted();
    const begun = parts.clock.monotonicMs();
    const found = await find(probe, { ...parts, policy: policyOf(probe), signal });
    return { ...found, elapsedMs: parts.clock.monotonicMs() - begun };
  };
}

function find(probe: Probe, context: ProbeContext): Promise<Found> {
  switch (probe.kind) {
    case "tcp":
      return probeTcp(probe, context);
    case "tls":
      return probeTls(probe, context);
    case "dns":
      return probeDns(probe, { ...context, timeoutMs: probe.timeoutMs });
  }
}

async function probeTcp({ host, port, send, until }: TcpProbe, context: ProbeContext): Promise<Found> {
  const socket = await connect(host, port, context);
  try {
    const address = socket.remoteAddress;
    if (send !== undefined) socket.write(send);
    if (until === undefined) return { address };
    return { address, text: await listen(socket, (text) => text.includes(until)) };
  } finally {
    socket.destroySoon();
  }
}
