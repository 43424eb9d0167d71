import type { Ids } from "../inputs/known.ts";
import type { Expected } from "../judge/answer.ts";
import type { Answer, Ask, Http } from "../server/http.ts";
import type { AttackedServer } from "../server/start.ts";

/** One action of an attacker, with the conditions that must hold during and after it. */
export interface Attack {
  /** A sentence about the attacker. */
  readonly name: string;
  /** Whose bound applies to the event loop. */
  readonly by: "strangers" | "callers";
  /** True = part of the short form. */
  readonly short: boolean;
  /** Failures are injected: status 503 is correct, and `/health` may fail. */
  readonly injected?: boolean;
  run(stage: Stage): Promise<void>;
}

/** Attacks that share one server. */
export interface Part {
  readonly id: string;
  readonly title: string;
  /** Members of the configuration of the server. */
  readonly config?: object;
  /** Runs each attack on its own server; the short form uses one, which all but the last attack must leave intact. */
  readonly apart?: boolean;
  /** The part damages a SQLite file, so it is skipped on PostgreSQL, whose failures are tested in `storage-pg`. */
  readonly sqliteOnly?: boolean;
  readonly attacks: readonly Attack[];
}

/** Headers of the callers. */
export interface Callers {
  readonly stranger: Readonly<Record<string, string>>;
  /** A valid key without any privilege. */
  readonly weak: Readonly<Record<string, string>>;
  readonly admin: Readonly<Record<string, string>>;
}

export interface Stage {
  readonly server: AttackedServer;
  readonly http: Http;
  readonly ids: Ids;
  readonly callers: Callers;
  readonly seed: string;
  readonly short: boolean;
  /** Sends a request and judges the answer; returns it for further checks. */
  ask(ask: Ask, expected?: Expected): Promise<Answer>;
  /** Makes a call as the administrator that must succeed. */
  api(operation: string, input?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Records a finding as a sentence, with the request that reproduces it. */
  wrong(sentence: string, reproduction?: string): void;
  /** Records the sentence unless the condition holds. */
  must(condition: boolean, sentence: string, reproduction?: string): void;
}
