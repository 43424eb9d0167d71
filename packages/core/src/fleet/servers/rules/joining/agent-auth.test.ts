import { describe, expect, test } from "vitest";
import { isJobToken, isServerToken } from "./agent-auth.ts";

const KEY = "correct horse battery staple";
const claim = { job: "jexample0001", server: "sexample0001" };
const SERVER = "6691f202104f49447335a0cfd516a6f3c5016d7bf6241bbc95c28661b420af7c";
const JOB_OF_SERVER = "b63d7f6d8fa1a46a44593d1c29c965da6ef6560352f9dd44c471d6d779a65aab";
const JOB = "19ed4e31586513f7d2b11b6a80a04d8c6ae1056bb3c7f460518a95e4e68a2ce8";

describe("tokens of agents", () => {
  test.each([SERVER, JOB_OF_SERVER])("%s is the token of the server", (auth) => {
    expect(isServerToken(auth, claim, [KEY])).toBe(true);
    expect(isServerToken(auth, claim, ["another key, sixteen", KEY])).toBe(true);
    expect(isServerToken(auth, { ...claim, server: "s2" }, [KEY])).toBe(false);
    expect(isServerToken(auth, claim, ["another key, sixteen"])).toBe(false);
  });

  test("the token of a runner is valid for its job alone", () => {
    expect(isServerToken(JOB_OF_SERVER, { ...claim, job: "j2" }, [KEY])).toBe(false);
  });

  test("the token of a job is valid for that job", () => {
    expect(isJobToken(JOB, claim.job, ["another key, sixteen", KEY])).toBe(true);
    expect(isJobToken(JOB, "j2", [KEY])).toBe(false);
    expect(isServerToken(JOB, claim, [KEY])).toBe(false);
    expect(isJobToken(SERVER, claim.job, [KEY])).toBe(false);
  });

  test("the token of a job's event stream is not valid for a server with the same name", () => {
    const stream = "9e4af19cf37c070c8ad18f157c830024348034bc8118f7b143acfc78af656fea";
    expect(isServerToken(stream, { ...claim, server: "streamjexample0001" }, [KEY])).toBe(false);
  });

  test.each(["", SERVER.toUpperCase(), SERVER.slice(1), KEY])("%j is no token", (auth) => {
    expect([isServerToken(auth, claim, [KEY]), isJobToken(auth, claim.job, [KEY])]).toEqual([false, false]);
  });
});
