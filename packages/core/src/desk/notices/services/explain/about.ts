import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Decision, Member, Problem, Route } from "../../model.ts";
import { receiverOf } from "../receivers/receiver-of.ts";

export type Deps = Pick<Cradle, "alerts" | "checks" | "clock" | "config" | "definitions" | "servers" | "silences">;

/** A firing that is explained. */
export interface About {
  readonly invocation: Invocation;
  readonly alert: Alert | undefined;
  /** Name of its subject. */
  readonly place: string;
  /** Unix seconds: the time that is asked for. */
  readonly now: number;
}

/** Place of the firing in a problem. */
export interface Within {
  readonly problem?: Problem | undefined;
  readonly member?: Member | undefined;
  readonly route?: Route | undefined;
}

export interface Matter extends About, Within {
  readonly decision: Decision;
}

/** A receiver as people know it; "" = none. */
export const titleOf = (deps: Pick<Deps, "alerts" | "definitions">, id: string | null): string =>
  id === null ? "" : (receiverOf(deps, id)?.title ?? id);
