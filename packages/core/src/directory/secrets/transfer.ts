import type { Transfer } from "../../kernel/plugins/transfer.ts";
import { isObject } from "../../lib/json/is-object.ts";
import { payloadCollection, secretCollection } from "./collection.ts";
import { Secret, type SecretPayload } from "./model.ts";
import { readSealed } from "./rules/crypto.ts";
import { KEPT } from "./services/kept.ts";

const LISTS = ["names", "events", "categories", "plugins", "web_hooks"];

/** Secrets travel sealed, and are never opened on the way: of use where the secret key is the same. */
export const secretTransfer: Transfer = {
  lists: {
    secrets: {
      collection: secretCollection,
      shape: Secret,
      companions: [payloadCollection],
      take: (members) => ({
        ...{ enabled: true, icon: "", notes: "" },
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
        // A payload opens under its own id alone, so another id inside would be a mistake or a trick.
        if (value["id"] !== undefined && value["id"] !== id)
          throw new Error(`The secret of another id stands under ${id}`);
        if (!isSealed(value)) throw new Error("Only sealed secrets are taken in");
        return { ...value, id };
      },
    },
  },
};

/** A closed record: members that it does not name, such as a value that was never sealed, stay outside. */
const ownMember = (members: Readonly<Record<string, unknown>>, name: string): [string, unknown][] =>
  members[name] === undefined || members[name] === null ? [] : [[name, members[name]]];

function isSealed(value: Readonly<Record<string, unknown>>): boolean {
  try {
    readSealed(value);
    return true;
  } catch {
    // Only the shape is judged here; nothing is opened.
    return false;
  }
}
