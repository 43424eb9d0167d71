import { describe, expect, test } from "vitest";
import { type AddressSettings, addressOf } from "./address.ts";

describe("the address at which agents reach the service", () => {
  test.each<[AddressSettings, string, string, number, boolean]>([
    [{}, "http://localhost:5522", "http://localhost:5522", 5522, false],
    [{}, "https://ops.example.com/", "https://ops.example.com", 443, true],
    [{}, "http://ops.example.com/tools/ops/", "http://ops.example.com/tools/ops", 80, false],
    [{}, "http://[::1]:5522", "http://[::1]:5522", 5522, false],
    [{ host: "conductor" }, "https://ops.example.com", "http://conductor:5522", 5522, false],
    [{ host: "conductor", port: 443, secure: true }, "", "https://conductor", 443, true],
    [{ port: 5522 }, "https://ops.example.com/x", "https://ops.example.com:5522/x", 5522, true],
    [{ secure: true }, "http://ops.example.com", "https://ops.example.com:80", 80, true],
  ])("for %j and %s is %s", (settings, base, url, port, secure) => {
    expect(addressOf(settings, base)).toMatchObject({ url, port, secure });
  });

  test.each([
    ...["", "text", "ftp://example.com", "http://user@example.com", "http://example.com/?a=1", "javascript:alert(1)"],
    ...["http://example.com/a'b", "http://example.com/$(id)", "http://example.com/a%20b", "http://example.com/`id`"],
  ])("%s is no address for a script", (base) => {
    expect(addressOf({}, base)).toBeUndefined();
  });
});
