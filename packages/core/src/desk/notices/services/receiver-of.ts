import type { Cradle } from "../../../kernel/container.ts";
import { receiverCollection } from "../collection.ts";
import type { Receiver } from "../model.ts";
import { ADMINISTRATORS } from "../rules/delivery/administrators.ts";

/** A receiver by its id; the administrators are one without a record. */
export const receiverOf = ({ definitions }: Pick<Cradle, "definitions">, id: string): Receiver | undefined =>
  definitions.get(receiverCollection, id) ?? (id === ADMINISTRATORS.id ? ADMINISTRATORS : undefined);
