type Members = Readonly<Record<string, unknown>>;

const isObjectLike = (value: unknown): boolean =>
  (typeof value === "object" && value !== null) || typeof value === "function";
const membersOf = (value: unknown): Members => (isObjectLike(value) ? (value as Members) : {});

/** Libraries whose transactions contain no usable handle, with the way to provide one. */
const REFUSED: readonly { readonly name: string; readonly way: string; isOne(members: Members): boolean }[] = [
  {
    name: "a Knex transaction",
    way: "give its connection, await trx.client.acquireConnection()",
    isOne: ({ isTransaction, client }) =>
      isTransaction === true && typeof membersOf(client)["acquireConnection"] === "function",
  },
  {
    name: "a transaction of Prisma",
    way: "Prisma hands out no connection, so begin the transaction on a `pg` client, or call after its commit",
    isOne: (members) => "$queryRaw" in members && "$executeRaw" in members,
  },
  {
    name: "a transaction of postgres.js",
    way: "its connections cannot be shared, so begin the transaction on a `pg` client, or call after its commit",
    isOne: ({ unsafe, savepoint, begin }) =>
      typeof unsafe === "function" && (typeof savepoint === "function" || typeof begin === "function"),
  },
];

/**
 * The connection of a transaction of the host's library: Drizzle's `tx`, or TypeORM's entity manager or query runner. Any other
 * value is returned unchanged. For libraries that hide their connection, throws `TypeError` with the way to provide it.
 */
export function hostHandle(value: unknown): unknown {
  const members = membersOf(value);
  const refused = REFUSED.find(({ isOne }) => isOne(members));
  if (refused) throw new TypeError(`This is ${refused.name}: ${refused.way}`);
  const { client } = membersOf(members["session"]);
  // Drizzle keeps its dialect next to the session.
  if (isObjectLike(client) && isObjectLike(members["dialect"])) return hostHandle(client);
  const { databaseConnection } = membersOf(members["queryRunner"] ?? value);
  return isObjectLike(databaseConnection) ? databaseConnection : value;
}
