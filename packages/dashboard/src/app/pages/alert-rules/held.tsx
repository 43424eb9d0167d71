import { useMemo } from "preact/hooks";
import { Panel } from "../../parts/basic/basic.tsx";
import { href } from "../../router/router.ts";
import { frameOf, inOrder, type Point, port } from "../workflow/graph/canvas/layout.ts";
import type { Graph, Wire } from "../workflow/graph/model.ts";
import { heldBy, holdsOf } from "./holds.ts";
import { firesNow, type Rule, RuleState } from "./state.tsx";
import { t } from "./texts.ts";
import { type Drawn, drawnOf } from "./ways.ts";

const PADDING = 24;

interface HeldProps {
  readonly graph: Graph;
  readonly rules: ReadonlyMap<string, Rule>;
}

/** Shows which rules hold others back: as a drawing where there is room, and as sentences. */
export function Held({ rules }: { readonly rules: readonly Rule[] }) {
  const graph = useMemo(() => holdsOf(rules), [rules]);
  const byId = useMemo(() => new Map(rules.map((rule) => [rule.id, rule])), [rules]);
  if (graph.connections.length === 0) return null;
  return (
    <Panel title={t("dependencies")} count={graph.connections.length}>
      <Drawing graph={graph} rules={byId} />
      <Sentences graph={graph} rules={byId} />
    </Panel>
  );
}

/** Draws the rule that fires on the left and the rule that waits on the right. Tab follows the same order. */
function Drawing({ graph, rules }: HeldProps) {
  const drawn = useMemo(() => drawnOf(graph), [graph]);
  const { points } = drawn;
  const { x, y, width, height } = frameOf(points);
  const size = { width: `${width + 2 * PADDING}px`, height: `${height + 2 * PADDING}px` };
  return (
    <div class="scroll hide-s" tabIndex={0} role="group" aria-label={t("drawn")}>
      <div style={{ position: "relative", ...size }}>
        <div style={{ transform: `translate(${PADDING - x}px, ${PADDING - y}px)` }}>
          <svg class="wires" aria-hidden="true">
            {graph.connections.map((wire) => (
              <Hold key={wire.id} wire={wire} drawn={drawn} />
            ))}
          </svg>
          {inOrder(graph).map(({ id }) => (
            <Box key={id} rule={rules.get(id)} at={points.get(id)} />
          ))}
        </div>
      </div>
    </div>
  );
}

interface HoldProps {
  readonly wire: Wire;
  readonly drawn: Drawn;
}

function Hold({ wire: { id, source, dest, condition }, drawn: { points, ways } }: HoldProps) {
  const end = points.get(dest);
  if (!end) return null;
  const to = port(end, "in");
  return (
    <g class={`wire ${firesNow(source) > 0 ? "near" : ""}`}>
      <path d={ways.get(id)} stroke-dasharray={condition === "inhibits" ? "6 4" : undefined} />
      <path class="head" d={`M${to.x - 7} ${to.y - 4}L${to.x} ${to.y}L${to.x - 7} ${to.y + 4}`} />
    </g>
  );
}

function Box({ rule, at }: { readonly rule: Rule | undefined; readonly at: Point | undefined }) {
  if (!rule || !at) return null;
  const fires = firesNow(rule.id);
  return (
    <div class="node" style={{ transform: `translate(${at.x}px, ${at.y}px)` }}>
      <a class="body" href={href(`/alert-rules/${rule.id}`)} title={rule.title}>
        <RuleState rule={rule} />
        <span class="two">
          <b class="cut" dir="auto">
            {rule.title}
          </b>
          <span class="cut xs">{fires > 0 ? t("firesOn", { n: fires }) : t(rule.enabled ? "quiet" : "off")}</span>
        </span>
      </a>
    </div>
  );
}

const RuleLink = ({ rule }: { readonly rule: Rule }) => (
  <a href={href(`/alert-rules/${rule.id}`)} dir="auto">
    {rule.title}
  </a>
);

const Sentences = ({ graph, rules }: HeldProps) => (
  <ul class="linked">
    {heldBy(graph).map(({ id, held }) => {
      const rule = rules.get(id);
      return (
        rule && (
          <li key={id}>
            <RuleState rule={rule} />
            <span class="grow">
              <RuleLink rule={rule} /> <span class="dim">{t("keepsBack")}</span>{" "}
              {held.map((other, at) => {
                const waiting = rules.get(other);
                return (
                  waiting && (
                    <span key={other}>
                      {at > 0 && ", "}
                      <RuleLink rule={waiting} />
                    </span>
                  )
                );
              })}
            </span>
          </li>
        )
      );
    })}
  </ul>
);
