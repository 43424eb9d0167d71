import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { peerLink } from "../../router/peer-links.ts";
import { href as toPage } from "../../router/router.ts";
import { type Block, blocksOf, type Span } from "./parse.ts";

/** Renders Markdown that people wrote as elements. HTML in it is never interpreted. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div class="md" dir="auto">
      {blocks.map(drawBlock)}
    </div>
  );
}

function drawBlock(block: Block, at: number): ComponentChildren {
  switch (block.kind) {
    case "heading":
      // The first two levels of headings belong to the page.
      return block.level < 3 ? <h3 key={at}>{drawAll(block.spans)}</h3> : <h4 key={at}>{drawAll(block.spans)}</h4>;
    case "paragraph":
      return <p key={at}>{block.lines.flatMap((line, row) => [row > 0 && <br key={row} />, ...drawAll(line)])}</p>;
    case "code":
      return (
        <pre key={at} class="code" tabIndex={0}>
          {block.text}
        </pre>
      );
    case "list": {
      const items = block.items.map((item, row) => (
        <li key={row} class={isTask(item) ? "task" : undefined}>
          {drawAll(item)}
        </li>
      ));
      return block.isOrdered ? <ol key={at}>{items}</ol> : <ul key={at}>{items}</ul>;
    }
    case "quote":
      return <blockquote key={at}>{block.blocks.map(drawBlock)}</blockquote>;
    case "table":
      return <MarkedTable key={at} rows={block.rows} />;
    case "rule":
      return <hr key={at} />;
  }
}

/** True for an item of a task list, whose checkbox replaces the bullet. */
const isTask = ([first]: readonly Span[]): boolean => first?.kind === "text" && /^[☐☑] /.test(first.text);

function MarkedTable({ rows: [head = [], ...rows] }: { readonly rows: readonly (readonly (readonly Span[])[])[] }) {
  return (
    <table>
      {head.some((cell) => cell.length > 0) && (
        <thead>
          <tr>{head.map((cell, at) => drawHead(cell, at))}</tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, column) => (
              <td key={column}>{drawAll(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** An empty header cell is drawn as a plain cell. */
const drawHead = (cell: readonly Span[], at: number): ComponentChildren =>
  cell.length > 0 ? (
    <th key={at} scope="col">
      {drawAll(cell)}
    </th>
  ) : (
    <td key={at} />
  );

const drawAll = (spans: readonly Span[]): ComponentChildren[] => spans.map(drawSpan);

function drawSpan(span: Span, at: number): ComponentChildren {
  switch (span.kind) {
    case "text":
      return span.text;
    case "code":
      return <code key={at}>{span.text}</code>;
    case "bold":
      return <b key={at}>{drawAll(span.spans)}</b>;
    case "italic":
      return <em key={at}>{drawAll(span.spans)}</em>;
    case "strike":
      return <s key={at}>{drawAll(span.spans)}</s>;
    case "link":
      return <Linked key={at} span={span} />;
  }
}

function Linked({ span: { href, spans } }: { readonly span: Extract<Span, { kind: "link" }> }) {
  if (href.startsWith("#")) return <a href={toPage(peerLink(href) ?? "/")}>{drawAll(spans)}</a>;
  return (
    // A path without a host belongs to the host's program, so it opens in a new tab like other links.
    <a href={href} target="_blank" rel="noopener noreferrer">
      {drawAll(spans)}
    </a>
  );
}
