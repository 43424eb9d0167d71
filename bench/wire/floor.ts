/**
 * The floor of `wire`: a bare `node:http` server that answers with two kilobytes and parses the JSON of a POST. Given the address
 * of a PostgreSQL, it also runs `select 1` for a GET, and inserts the body of a POST as one row.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

const BODY = JSON.stringify({ code: 0, text: "x".repeat(2000) });

function answer(response: ServerResponse): void {
  response.setHeader("content-type", "application/json");
  response.end(BODY);
}

const [connectionString] = process.argv.slice(2);
const pool = connectionString === undefined ? undefined : new pg.Pool({ connectionString });
await pool?.query("create table if not exists floor (row text)");
const NOTHING = { name: "nothing", text: "select 1" };
const INSERT = { name: "insert", text: "insert into floor values ($1)" };

const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    await pool?.query(NOTHING);
    return answer(response);
  }
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (part: string) => {
    text += part;
  });
  request.on("end", async () => {
    JSON.parse(text);
    await pool?.query({ ...INSERT, values: [text] });
    answer(response);
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
