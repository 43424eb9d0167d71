import type { KeyedCradle } from "../../../kernel/container.ts";
import { equalSecrets } from "../../../lib/secrecy/hash.ts";
import { downloadToken, streamToken } from "./rules/tokens.ts";

/** Makes and checks the tokens that open one job without credentials (docs/contract/credentials.md#tokens). */
export interface JobTokens {
  ofLog(id: string): string;
  ofStream(id: string): string;
  opensLog(id: string, token: string): boolean;
  opensStream(id: string, token: string): boolean;
}

export function createJobTokens(deps: Pick<KeyedCradle, "secretKey">): JobTokens {
  const ofLog = (id: string): string => downloadToken(id, deps.secretKey);
  const ofStream = (id: string): string => streamToken(id, deps.secretKey);
  return {
    ofLog,
    ofStream,
    opensLog: (id, token) => equalSecrets(token, ofLog(id)),
    opensStream: (id, token) => equalSecrets(token, ofStream(id)),
  };
}
