import type { Ids } from "../inputs/known.ts";
import type { Expected } from "../judge/answer.ts";
import type { Answer, Ask, Http } from "../server/http.ts";
import type { AttackedServer } from "../server/start.ts";

/** One act of an attacker, with the conditions that must hold meanwhile and afterwards. */
export interface Attack {
  /** A sentence about the attacker. */
  readonly name: string;
  /** Whose bound holds for the loop. */
  readonly by: "strangers" | "callers";
  /** Part of the short form; `long` tells the parts that it leaves out. */
  readonly short: boolean;
  /** Failures are injected: status 503 is a right answer, and so is a `/health` that says no. */
  readonly injected?: boolean;
  run(stage: Stage): Promise<void>;
}

/** Attacks that share one server. */
export interface Part {
  readonly id: string;
  readonly title: string;
  /** Members of the configuration of the server. */
  readonly config?: object;
  /** Attacks of one kind, each on its own server; in the short form on one, which all but the last must leave whole. */
  readonly apart?: boolean;
  /** The part damages a SQLite file, so it is left out on PostgreSQL, whose failures are tested in `storage-pg`. */
  readonly sqliteOnly?: boolean;
  readonly attacks: readonly Attack[];
}

/** Headers of the callers. */
export interface Callers {
  readonly stranger: Readonly<Record<string, string>>;
  /** A known key without any privilege. */
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
  /** Sends and judges; the answer is given for further looks. */
  ask(ask: Ask, expected?: Expected): Promise<Answer>;
  /** A call of the administrator that must succeed. */
  api(operation: string, input?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Notes a finding as a sentence, with the request that reproduces it. */
  wrong(sentence: string, reproduction?: string): void;
  /** Notes the sentence unless the condition holds. */
  must(condition: boolean, sentence: string, reproduction?: string): void;
}
