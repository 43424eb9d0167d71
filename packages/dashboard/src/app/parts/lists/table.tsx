import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { language } from "../../texts/catalogue.ts";
import { t } from "../../texts/words/frame.ts";
import { Icon } from "../basic/icon.tsx";
import { NewRows, useCalm } from "../calm/index.tsx";
import type { Selection } from "./selection.tsx";
import { useWindow } from "./window.ts";

/** Define the list of columns outside the component: a new list makes all rows render again. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string | (() => string);
  /** The first column contains the link to the record; clicking anywhere in the row follows it. */
  readonly cell: (row: Row) => ComponentChildren;
  /** Right-aligned, with the unit in the head. */
  readonly isNumber?: boolean;
  /** CSS width; a column without one takes the remaining space. Live values must never change a width. */
  readonly width?: string;
  /** 3: hidden below 760 px; 2: hidden below 1,100 px; undefined: always shown. */
  readonly rank?: 2 | 3 | undefined;
  /** Name of the column in `sort` of the address; absent: not sortable. */
  readonly sort?: string;
}

/** `name` ascending, `-name` descending. */
export type Sort = string;

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  readonly selection?: Selection;
  /** Name of a row, for its checkbox. */
  readonly nameOf?: (row: Row) => string;
  /** Id of the record that is open beside the table. */
  readonly current?: string | undefined;
  /** Number of all rows, where the table holds only some of them. */
  readonly total?: number;
  /**
   * The question that the rows answer: filter, order, number asked for. While a list with the same question is held, its rows
   * stay still and new ones wait. Absent: all changes show at once.
   */
  readonly question?: string;
  /** Pixels, when not the usual 34. All rows of a long table have the same height. */
  readonly rowHeight?: number;
}

const ROW_HEIGHT = 34;
/** Tables with more rows keep only the visible ones in the document. */
const WINDOWED = 200;

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, keyOf, total, rowHeight = ROW_HEIGHT, question, selection } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const calm = useCalm(list, { rows: props.rows, keyOf, question, selection });
  const { rows } = calm;
  const isWindowed = rows.length > WINDOWED;
  const { from, to } = useWindow(body, { count: rows.length, rowHeight, isOn: isWindowed });
  const shown = isWindowed ? rows.slice(from, to) : rows;
  return (
    <>
      <NewRows {...calm} />
      <div ref={list} class="scroll" tabIndex={0} role="group" aria-label={label}>
        <table aria-rowcount={total ?? rows.length}>
          <TableHead {...props} rows={rows} />
          <tbody ref={body} style={{ "--row": `${rowHeight}px` }}>
            {isWindowed && <tr class="space" style={{ height: `${from * rowHeight}px` }} />}
            {shown.map((row, at) => (
              <TableRow
                key={keyOf(row)}
                row={row}
                id={keyOf(row)}
                columns={columns}
                index={isWindowed ? from + at + 2 : undefined}
                isCurrent={props.current === keyOf(row)}
                isGone={calm.gone.has(keyOf(row))}
                selection={selection}
                nameOf={props.nameOf}
              />
            ))}
            {isWindowed && <tr class="space" style={{ height: `${(rows.length - to) * rowHeight}px` }} />}
          </tbody>
        </table>
      </div>
    </>
  );
}

const titleOf = ({ title }: Pick<Column<never>, "title">): string => (typeof title === "string" ? title : title());
const classOf = ({ isNumber, rank }: Pick<Column<never>, "isNumber" | "rank">): string =>
  `${isNumber ? "r " : ""}${rank ? `rank-${rank}` : ""}`;

function TableHead<Row>({ columns, sort, onSort, selection, rows, keyOf }: TableProps<Row>) {
  return (
    <thead>
      <tr>
        {selection && (
          <th class="pick" scope="col">
            <selection.All ids={rows.map(keyOf)} />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            class={classOf(column)}
            style={column.width ? { width: column.width } : undefined}
            aria-sort={ariaSort(column.sort, sort)}
          >
            {column.sort && onSort ? (
              <SortButton title={titleOf(column)} name={column.sort} sort={sort} onSort={onSort} />
            ) : (
              titleOf(column) || <span class="vh">{t("actions")}</span>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function ariaSort(name: string | undefined, sort: Sort | undefined): "ascending" | "descending" | undefined {
  if (name === undefined || sort?.replace(/^-/, "") !== name) return undefined;
  return sort.startsWith("-") ? "descending" : "ascending";
}

interface SortButtonProps {
  readonly title: string;
  readonly name: string;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort) => void;
}

const SortButton = ({ title, name, sort, onSort }: SortButtonProps) => (
  <button type="button" class="sort" onClick={() => onSort(sort === name ? `-${name}` : name)}>
    {title}
    {ariaSort(name, sort) && <Icon name={sort?.startsWith("-") ? "down" : "up"} />}
  </button>
);

interface TableRowProps<Row> {
  readonly row: Row;
  readonly id: string;
  readonly columns: readonly Column<Row>[];
  readonly index: number | undefined;
  readonly isCurrent: boolean;
  readonly isGone: boolean;
  readonly selection: Selection | undefined;
  readonly nameOf: ((row: Row) => string) | undefined;
}

function TableRow<Row>({ row, id, columns, index, isCurrent, isGone, selection, nameOf }: TableRowProps<Row>) {
  // Reading a signal makes the component render only when its properties change: one changed row leaves the others alone.
  language.value;
  return (
    <tr aria-rowindex={index} aria-current={isCurrent || undefined} class={isGone ? "is-gone" : ""} data-id={id}>
      {selection && (
        <td class="pick">
          <selection.One id={id} name={nameOf?.(row) ?? id} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} class={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** Sorts by what a column shows, for lists that are loaded completely; the server sorts the others. */
export function sorted<Row>(
  rows: readonly Row[],
  sort: Sort | undefined,
  by: Readonly<Record<string, (row: Row) => string | number>>,
): readonly Row[] {
  const name = sort?.replace(/^-/, "") ?? "";
  const value = Object.hasOwn(by, name) ? by[name] : undefined;
  if (!value) return rows;
  const direction = sort?.startsWith("-") ? -1 : 1;
  const order = new Intl.Collator(language.value, { numeric: true, sensitivity: "base" });
  return rows.toSorted((left, right) => {
    const [first, second] = [value(left), value(right)];
    const difference =
      typeof first === "number" && typeof second === "number"
        ? first - second
        : order.compare(String(first), String(second));
    return difference * direction;
  });
}
