import type { DnsProbe, TcpProbe, TlsProbe } from "../../../ports/probe.ts";
import type { Check } from "../model.ts";

/** What is asked by a check that speaks no HTTP; the record was checked when it was stored. */
export function probeOf(check: Check): TcpProbe | TlsProbe | DnsProbe {
  const { host, port, name, record, starttls } = check;
  switch (check.type) {
    case "dns":
      return { kind: "dns", name: name ?? "", record: record ?? "A", resolver: check.resolver ?? undefined };
    case "tls": {
      const servername = check.servername ?? undefined;
      const at = { host: host ?? "", port: port ?? 443, servername };
      return { kind: "tls", ...at, starttls: starttls ?? "none", verify: Boolean(check.verify) };
    }
    default: {
      const said = { send: check.send ?? undefined, until: check.contains ?? undefined };
      return { kind: "tcp", host: host ?? "", port: port ?? 0, ...said };
    }
  }
}
