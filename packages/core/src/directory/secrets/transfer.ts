import type { Transfer, TransferCradle } from "../../kernel/plugins/transfer.ts";
import { isObject } from "../../lib/json/is-object.ts";
import { anyOf, equal, type SearchNode } from "../../search/ast.ts";
import { payloadCollection, secretCollection } from "./collection.ts";
import { Secret, type SecretPayload } from "./model.ts";
import { readSealed } from "./rules/crypto.ts";
import { KEPT } from "./services/kept.ts";

const LISTS = ["names", "events", "categories", "plugins", "web_hooks"];

/** Exports and imports secrets sealed, and never opens them. So the importing installation needs the same secret key. */
export const secretTransfer: Transfer = {
  lists: {
    secrets: {
      collection: secretCollection,
      shape: Secret,
      companions: [payloadCollection],
      note: noteForeignKeys,
      take: (members) => ({
        enabled: true,
        icon: "",
        notes: "",
        ...Object.fromEntries(LISTS.map((name) => [name, []])),
        ...Object.fromEntries(Object.keys(Secret.shape).flatMap((name) => ownMember(members, name))),
      }),
    },
  },
  keys: {
    "secrets/*": {
      collection: payloadCollection,
      list: "secrets",
      item: "secretData",
      within: KEPT,
      read: (payload: SecretPayload) => payload,
      take(id, value) {
        if (!isObject(value)) throw new Error("A sealed secret must be an object");
        // A payload opens only under its own id, so a different id inside is a mistake or an attack.
        if (value["id"] !== undefined && value["id"] !== id)
          throw new Error(`The secret of another id stands under ${id}`);
        if (!isSealed(value)) throw new Error("Only sealed secrets are taken in");
        return { ...value, id };
      },
    },
  },
};

/** Says how many secrets were sealed with a key that this installation does not have; xyOps does not name the key of a secret. */
async function noteForeignKeys({ keyRing, snapshot }: TransferCradle): Promise<string | undefined> {
  const known = ["", ...keyRing.candidates(undefined)].map((fingerprint) => equal("fp", fingerprint));
  const where: SearchNode = { kind: "not", node: anyOf(known) };
  const { total } = await snapshot((tx) => tx.collection(payloadCollection).find(where, { limit: 0 }));
  if (total === 0) return undefined;
  return `**Secrets that cannot be opened here: ${total}.** They were sealed with another secret key: start with that key, or with it among the previous ones.`;
}

/**
 * Takes only the members of the closed record, so that a value that was never sealed is not imported. A stored `null` stays:
 * as the switch it means off, whereas an absent switch counts as on.
 */
const ownMember = (members: Readonly<Record<string, unknown>>, name: string): [string, unknown][] =>
  members[name] === undefined || (members[name] === null && name === "names") ? [] : [[name, members[name]]];

function isSealed(value: Readonly<Record<string, unknown>>): boolean {
  try {
    readSealed(value);
    return true;
  } catch {
    // Only the shape is checked here; nothing is opened.
    return false;
  }
}
