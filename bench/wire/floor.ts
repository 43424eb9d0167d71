/** The floor of `wire`: what Node by itself does for a request; answers two kilobytes, and reads the JSON of a POST. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const BODY = JSON.stringify({ code: 0, text: "x".repeat(2000) });

function answer(response: ServerResponse): void {
  response.setHeader("content-type", "application/json");
  response.end(BODY);
}

const server = createServer((request, response) => {
  if (request.method === "GET") return answer(response);
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (part: string) => {
    text += part;
  });
  request.on("end", () => {
    JSON.parse(text);
    answer(response);
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
