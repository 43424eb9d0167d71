import { atMost } from "../../../search/ast.ts";
import { tokenCollection } from "../collection.ts";
import type { TransferToken } from "../model.ts";
import { isAlive, tokenId } from "../rules/tokens.ts";
import type { TransferDeps } from "./deps.ts";

/** Most tokens removed at a time. */
const PAGE = 500;

/** Consumes a token. If two callers use it at the same moment, only one of them gets it. */
export async function takeToken(
  { clock, transact }: Pick<TransferDeps, "clock" | "transact">,
  token: string,
): Promise<TransferToken | undefined> {
  const id = tokenId(token);
  if (id === undefined) return undefined;
  return transact(async ({ tx }) => {
    const tokens = tx.collection(tokenCollection);
    const found = await tokens.get(id);
    if (!found || !(await tokens.delete(id))) return undefined;
    return isAlive(found, clock.now()) ? found : undefined;
  });
}

export async function sweepTokens(
  { snapshot, transact }: Pick<TransferDeps, "snapshot" | "transact">,
  now: number,
): Promise<void> {
  const old = atMost("expires", now);
  const { rows } = await snapshot((tx) => tx.collection(tokenCollection).find(old, { limit: PAGE }));
  // Usually no token has expired, and a commit would flush the disk.
  if (rows.length > 0) await transact(({ tx }) => tx.collection(tokenCollection).deleteMany(rows.map(({ id }) => id)));
}
