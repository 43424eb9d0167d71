import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { expect, onTestFinished, test } from "vitest";
import { createHandler } from "../src/index.ts";
import { start } from "./start.ts";

/** The cause in the activity row of a call over a real socket. */
async function causeOf(requestId: string | undefined): Promise<unknown> {
  const { engine, key } = await start();
  const server = createServer(getRequestListener(createHandler(engine)));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/app/create_ticket/v1`, {
    method: "POST",
    headers: {
      "x-api-key": key,
      "content-type": "application/json",
      ...(requestId ? { "x-request-id": requestId } : {}),
    },
    body: JSON.stringify({ subject: "Lamp", cause: { kind: "job", id: "forged" } }),
  });
  const { ticket } = (await response.json()) as { ticket: { cause: unknown } };
  return ticket.cause;
}

const key = { kind: "api_key", id: expect.any(String) };

test.each(["web-4711", "x".repeat(128)])("the header %j is the id of the request", async (id) => {
  expect(await causeOf(id)).toEqual({ ...key, request: id });
});

test.each([undefined, "two words", "x".repeat(129), "<script>", "a,b", "\u00e4"])(
  "the header %j is not the id of the request",
  async (id) => {
    expect(await causeOf(id)).toEqual(key);
  },
);
