import type { TakenRow, Transfer } from "../../kernel/plugins/transfer.ts";
import { isObject } from "../../lib/json/is-object.ts";
import { snapshotPartCollection } from "./collection.ts";
import { type HeavyMembers, partId, Snapshot, type StoredSnapshot } from "./model.ts";
import { splitData } from "./rules/halves.ts";
import { deleteParts } from "./services/group-snapshots.ts";

type Members = Readonly<Record<string, unknown>>;

/** Servers of a group whose heavy halves go into one part. */
const PART_SERVERS = 20;

export const snapshotTransfer: Transfer = {
  tables: {
    snapshots: {
      shape: Snapshot,
      newest: "date",
      async read({ snapshots }, tx, stored: StoredSnapshot) {
        const whole = await snapshots.whole(tx, stored);
        return stored.key === undefined ? whole : { ...whole, key: stored.key };
      },
      take: (members) => takenSnapshot(members as Snapshot),
      replaces: (tx, { id, parts }: StoredSnapshot) => deleteParts(tx, id, parts),
      async remove({ snapshots }, { tx }, { id }: StoredSnapshot) {
        await snapshots.delete(tx, id);
      },
    },
  },
};

/** Splits a whole snapshot into the halves that are stored (docs/contract/servers.md#halves). */
function takenSnapshot(snapshot: Snapshot): TakenRow {
  const { light, heavy } = snapshot.type === "server" ? serverHalves(snapshot) : groupHalves(snapshot);
  const records = heavy.map((members, index) => ({ id: partId(snapshot.id, index), members }));
  const size = records.reduce((sum, part) => sum + JSON.stringify(part.members).length, 0);
  const stored = {
    ...light,
    parts: records.length,
    size,
    lightSize: snapshot.type === "server" ? JSON.stringify(light).length : 0,
  };
  return { record: stored as StoredSnapshot, beside: [{ collection: snapshotPartCollection, records }] };
}

interface Halves {
  readonly light: Members & { readonly id: string };
  readonly heavy: readonly HeavyMembers[];
}

function serverHalves({ data, ...light }: Snapshot): Halves {
  if (!isObject(data)) return { light, heavy: [] };
  const halves = splitData(data);
  return { light: { ...light, data: halves.light }, heavy: [{ data: halves.heavy }] };
}

function groupHalves({ group_def, servers = [], snapshots = [], quickmons = [], ...light }: Snapshot): Halves {
  const heavy: HeavyMembers[] = [group_def === undefined ? {} : { group_def }];
  for (let first = 0; first < servers.length; first += PART_SERVERS) {
    const last = first + PART_SERVERS;
    heavy.push({
      servers: servers.slice(first, last),
      snapshots: snapshots.slice(first, last),
      quickmons: quickmons.slice(first, last),
    });
  }
  return { light, heavy };
}
