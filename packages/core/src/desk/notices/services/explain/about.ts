import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Decision, Member, Problem, Route } from "../../model.ts";
import { receiverOf } from "../receivers/receiver-of.ts";

export type Deps = Pick<Cradle, "alerts" | "checks" | "clock" | "config" | "definitions" | "servers" | "silences">;

/** The firing to explain. */
export interface About {
  readonly invocation: Invocation;
  readonly alert: Alert | undefined;
  /** Name of its subject. */
  readonly place: string;
  /** Unix seconds of the time that the explanation is for. */
  readonly now: number;
}

/** Where the firing is within its problem. */
export interface Within {
  readonly problem?: Problem | undefined;
  readonly member?: Member | undefined;
  readonly route?: Route | undefined;
}

export interface Matter extends About, Within {
  readonly decision: Decision;
}

/** Title of a receiver as people know it; "" = no receiver. */
export const titleOf = (deps: Pick<Deps, "alerts" | "definitions">, id: string | null): string =>
  id === null ? "" : (receiverOf(deps, id)?.title ?? id);
