import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import pg from "pg";

/** Lets few connections to the server serve many clients, a transaction at a time. */
export interface Pooler extends AsyncDisposable {
  /** The address of the database behind it. */
  readonly connectionString: string;
}

/** A connection to the server. */
interface Session {
  readonly socket: Socket;
  client: Client | undefined;
}

interface Client {
  readonly socket: Pick<Socket, "write">;
  session: Session | undefined;
  /** Frames that wait for a session. */
  held: Buffer[];
  /** Outstanding answers: until they arrive, the session belongs to the client. */
  open: number;
}

const SESSIONS = 4;

/** Follows the rules of a transaction-pooling proxy over real sessions; the session that was unused for longest comes next. */
export async function startPooler(connectionString: string): Promise<Pooler> {
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => openSession(connectionString)));
  const pool = createPool(sessions);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    serve(socket, pool);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    connectionString: addressOf(server, connectionString),
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(sessions.map(({ socket }) => new Promise<void>((resolve) => socket.end(TERMINATE, resolve))));
    },
  };
}

interface Pool {
  ask(client: Client, frame: Buffer): void;
}

function createPool(sessions: readonly Session[]): Pool {
  const free = [...sessions];
  const queue: Client[] = [];
  const pair = (): void => {
    while (free.length > 0 && queue.length > 0) {
      const [client, session] = [queue.shift(), free.shift()];
      if (!client || !session) return;
      client.session = session;
      session.client = client;
      for (const frame of client.held.splice(0)) session.socket.write(frame);
    }
  };
  const answer = (session: Session, frame: Buffer): void => {
    const { client } = session;
    // Messages of a session that no client holds are lost.
    if (!client) return;
    client.socket.write(frame);
    if (!isOf(frame, "Z")) return;
    client.open -= 1;
    if (client.open > 0 || frame[READY_STATE] !== IDLE) return;
    client.session = undefined;
    session.client = undefined;
    free.push(session);
    pair();
  };
  for (const session of sessions)
    session.socket.on(
      "data",
      inFrames((frame) => answer(session, frame)),
    );
  return {
    ask(client, frame) {
      if (isOf(frame, "Q") || isOf(frame, "S")) client.open += 1;
      if (client.session) return void client.session.socket.write(frame);
      if (client.held.push(frame) === 1) queue.push(client);
      pair();
    },
  };
}

function serve(socket: Socket, pool: Pool): void {
  const client: Client = { socket, session: undefined, held: [], open: 0 };
  const leave = (): void => {
    // Drops the remaining answers, and rolls back an open transaction of the client.
    if (client.session) pool.ask(Object.assign(client, { socket: { write: () => true } }), ROLLBACK);
  };
  socket.on("error", () => socket.destroy());
  socket.once("close", leave);
  // Admits every client: logins are not tested here.
  socket.once("data", () => {
    socket.write(WELCOME);
    socket.on(
      "data",
      inFrames((frame) => {
        if (isOf(frame, "X")) socket.end();
        else pool.ask(client, frame);
      }),
    );
  });
}

/** Lets the driver sign in, and takes its socket. */
async function openSession(connectionString: string): Promise<Session> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection;
  socket.removeAllListeners();
  socket.on("error", () => socket.destroy());
  return { socket, client: undefined };
}

function addressOf(server: Server, connectionString: string): string {
  const address = new URL(connectionString);
  address.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return address.href;
}

const READY_STATE = 5;
const IDLE = "I".charCodeAt(0);
const isOf = (frame: Buffer, type: string): boolean => frame[0] === type.charCodeAt(0);

/** A letter for the type, the length (which counts itself), the body. */
function frameOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
const TERMINATE = frameOf("X", Buffer.alloc(0));
const ROLLBACK = frameOf("Q", Buffer.from("rollback\0"));
/** Frames that complete a login. */
const WELCOME = Buffer.concat([frameOf("R", Buffer.alloc(4)), frameOf("Z", Buffer.from("I"))]);

function inFrames(take: (frame: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1;
      take(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}
