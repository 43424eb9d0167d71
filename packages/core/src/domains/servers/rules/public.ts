import type { HostRecord, PublicHostRecord, PublicServer, Server } from "../model.ts";

type Data = Readonly<Record<string, unknown>>;

/** A server as callers see it (part 21 §1): with `online`, without internal hints. */
export function publicServer(server: Server, online: boolean): PublicServer {
  const { delete: _hint, ...rest } = server;
  return { ...(rest as Server), online };
}

/** A host record as callers see it (part 20 §6): the names `cpu`, `mem`, `disk` and `net` are made when it is read. */
export function publicHostRecord({ id: _id, ...record }: HostRecord): PublicHostRecord {
  const { data } = record;
  const aliases = {
    cpu: data["cpu"],
    mem: data["memory"],
    disk: data["mounts"],
    net: memberOf(data["stats"], "network"),
  };
  const known = Object.entries(aliases).filter(([, value]) => value !== undefined);
  return { ...record, ...Object.fromEntries(known) };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Data)[name] : undefined;
}

/** Title with hostname where there is a title; the parts that configuration strips are gone from the hostname. */
export function niceServer({ title, hostname }: { title?: string | undefined; hostname: string }): string {
  return title ? `${title} (${hostname})` : hostname;
}
