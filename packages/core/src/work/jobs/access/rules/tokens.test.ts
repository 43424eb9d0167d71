import { describe, expect, test } from "vitest";
import { downloadToken, streamToken } from "./tokens.ts";

/** The test vectors of the contract (docs/contract/credentials.md#tokens). */
const vectors = [
  {
    key: "correct horse battery staple",
    job: "jexample0001",
    download: "0hPpryGnUCj96zwRYbpONg",
    stream: "9e4af19cf37c070c8ad18f157c830024348034bc8118f7b143acfc78af656fea",
  },
  {
    key: "SecretKey123",
    job: "jabc123def",
    download: "YJ9RqNv6N-E34avN5ZNqRQ",
    stream: "ff95b9e11e6b5f2fbf5c55e4aa321b28c0c289dbe3a628ba8cb13ff4d2d1369d",
  },
] as const;

describe.each(vectors)("tokens of job $job", ({ key, job, download, stream }) => {
  test("the download token is the token of the contract", () => {
    expect(downloadToken(job, key)).toBe(download);
  });

  test("the stream token is the token of the contract", () => {
    expect(streamToken(job, key)).toBe(stream);
  });
});
