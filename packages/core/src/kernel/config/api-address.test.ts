import { expect, test } from "vitest";
import { apiAddress } from "./api-address.ts";

test.each([
  ["https://ops.example", undefined, "https://ops.example/api/app/ack/x"],
  ["https://ops.example/tools", undefined, "https://ops.example/tools/api/app/ack/x"],
  ["https://ops.example", "", "https://ops.example/api/app/ack/x"],
  ["https://ops.example", "https://api.example/v9", "https://api.example/v9/app/ack/x"],
])("below %s and %s the address is %s", (base_app_url, base_api_url, address) => {
  expect(apiAddress({ base_app_url, base_api_url }, "ack/x")).toBe(address);
});
