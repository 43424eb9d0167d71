import { signal } from "@preact/signals";
import { LogBuffer } from "../buffer.ts";
import type { Needle } from "../search.ts";
import { nodesOf, type Picked } from "./paint.ts";
import { LogRows } from "./rows.ts";

const LINE_PX = 20;
/** Rows drawn above and below the visible part; none while following the end. */
const OVERSCAN = 12;
/** Height that browsers can lay out. For longer logs, a pixel of the scrollbar stands for more than a pixel of text. */
const MAX_PX = 8_000_000;
/** Minimum interval between repaints while text arrives; nobody can read faster. */
const DRAW_MS = 100;

export interface Elements {
  /** The scrolling element. */
  readonly view: HTMLElement;
  /** Spacer with the height of all rows. */
  readonly space: HTMLElement;
  /** Contains the drawn rows. */
  readonly window: HTMLElement;
  readonly gutter: HTMLElement;
  readonly text: HTMLElement;
}

/** Draws the visible lines of a log without Preact. Never reads layout after a write, so it forces no layout. */
export class LogScreen {
  readonly isFollowing = signal(false);
  #buffer: LogBuffer = new LogBuffer();
  #rows = new LogRows(this.#buffer, 0);
  #elements: Elements | undefined;
  #height = 600;
  #columns = 0;
  #isWrapped = false;
  #needle: Needle;
  #picked: Picked | undefined;
  #current = -1;
  #top = 0;
  #painted = "";
  #from = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #drawnAt = 0;
  #dropped = 0;
  /** Increments with each change to how lines look. */
  #look = 0;
  /** A line to scroll to as soon as it has arrived. */
  #wanted: number | undefined;

  attach(elements: Elements): () => void {
    this.#elements = elements;
    const watch = new ResizeObserver(() => this.#measure());
    watch.observe(elements.view);
    this.#measure();
    return () => {
      watch.disconnect();
      clearTimeout(this.#timer);
      cancelAnimationFrame(this.#frame);
      this.#elements = undefined;
    };
  }

  #measure(): void {
    const { view, gutter, text } = this.#elements ?? {};
    if (!view || !gutter || !text) return;
    const probe = document.createElement("span");
    probe.textContent = "0".repeat(100);
    text.append(probe);
    const character = probe.getBoundingClientRect().width / 100;
    probe.remove();
    this.#height = view.clientHeight;
    this.#columns = Math.max(20, Math.floor((view.clientWidth - gutter.offsetWidth - 24) / (character || 7)));
    if (this.#isWrapped) this.#rebuild();
    this.#changed();
  }

  show(buffer: LogBuffer): void {
    if (this.#buffer !== buffer) {
      this.#buffer = buffer;
      this.#dropped = buffer.dropped;
      this.#rebuild();
    }
    this.#plan();
  }

  wrap(isWrapped: boolean): void {
    if (this.#isWrapped === isWrapped) return;
    const line = this.topLine();
    this.#isWrapped = isWrapped;
    this.#rebuild();
    this.#toTop(this.#rows.rowOf(line));
  }

  mark(needle: Needle, picked: Picked | undefined, current: number): void {
    if (this.#needle === needle && samePick(this.#picked, picked) && this.#current === current) return;
    this.#needle = needle;
    this.#picked = picked;
    this.#current = current;
    this.#changed();
  }

  /** The line at the top of the visible part. */
  topLine(): number {
    return this.#rows.at(Math.min(this.#firstRow(), Math.max(0, this.#rows.total - 1))).line;
  }

  /** True if a line is visible. */
  shows(line: number): boolean {
    const row = line < 0 ? -1 : this.#rows.rowOf(line) - this.#firstRow();
    return row >= 0 && row < this.#visible();
  }

  /** The line at a vertical position in the window. */
  lineAt(clientY: number): number {
    const top = this.#elements?.window.getBoundingClientRect().top ?? 0;
    return this.#rows.at(Math.min(this.#rows.total - 1, this.#from + Math.floor((clientY - top) / LINE_PX))).line;
  }

  /** Scrolls a line into the upper third, now or as soon as it has arrived. */
  toLine(line: number): void {
    this.isFollowing.value = false;
    if (line >= this.#buffer.count) {
      this.#wanted = line;
      return;
    }
    this.#wanted = undefined;
    this.#rows.refresh();
    this.#toTop(this.#rows.rowOf(line) - Math.floor(this.#visible() / 3));
  }

  toStart(): void {
    this.isFollowing.value = false;
    this.#toTop(0);
  }

  follow(isOn: boolean): void {
    this.isFollowing.value = isOn;
    this.#changed();
  }

  /**
   * Called by the view on every scroll. Scrolling up stops following: only a person scrolls up, because the screen
   * itself only scrolls down while it follows.
   */
  scrolled(top: number): void {
    const isUp = top < this.#top && top + this.#height < this.#space() - LINE_PX * 1.5;
    this.#top = top;
    if (isUp) this.isFollowing.value = false;
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #visible(): number {
    return Math.ceil(this.#height / LINE_PX);
  }
  #space(): number {
    return Math.min(MAX_PX, this.#rows.total * LINE_PX);
  }
  /** Rows of text per row of the scrollbar; 1 except for the longest logs. */
  #scale(): number {
    const way = this.#space() - this.#height;
    return this.#rows.total * LINE_PX > MAX_PX ? (this.#rows.total * LINE_PX - this.#height) / way : 1;
  }
  #firstRow(): number {
    return Math.floor((this.#top * this.#scale()) / LINE_PX);
  }

  #toTop(row: number): void {
    const { view, space } = this.#elements ?? {};
    if (!view || !space) return;
    space.style.height = `${this.#space()}px`;
    const last = Math.max(0, this.#space() - this.#height);
    this.#top = Math.min(last, Math.max(0, (row * LINE_PX) / this.#scale()));
    view.scrollTop = this.#top;
    this.#changed();
  }

  #rebuild(): void {
    this.#rows = new LogRows(this.#buffer, this.#isWrapped ? this.#columns : 0);
    this.#changed();
  }

  #changed(): void {
    this.#look += 1;
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  /** Schedules a repaint, throttled to `DRAW_MS`. */
  #plan(): void {
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, DRAW_MS - (performance.now() - this.#drawnAt));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#frame ||= requestAnimationFrame(() => this.#draw());
    }, wait);
  }

  #draw(): void {
    this.#frame = 0;
    const elements = this.#elements;
    if (!elements) return;
    this.#drawnAt = performance.now();
    this.#keepPlace();
    this.#rows.refresh();
    if (this.#wanted !== undefined && this.#wanted < this.#buffer.count) this.toLine(this.#wanted);
    const { view, space } = elements;
    space.style.height = `${this.#space()}px`;
    space.style.minWidth = this.#isWrapped ? "" : `calc(${this.#buffer.widest}ch + 7rem)`;
    const isFollowing = this.isFollowing.peek();
    if (isFollowing) {
      this.#top = Math.max(0, this.#space() - this.#height);
      view.scrollTop = this.#top + LINE_PX;
    }
    this.#paint(elements, isFollowing ? 0 : OVERSCAN);
  }

  /** Keeps the line being read in place when lines above it are dropped. */
  #keepPlace(): void {
    const gone = this.#buffer.dropped - this.#dropped;
    if (gone === 0) return;
    this.#dropped = this.#buffer.dropped;
    if (this.#isWrapped || this.isFollowing.peek() || !this.#elements) return;
    this.#top = Math.max(0, this.#top - gone * LINE_PX);
    this.#elements.view.scrollTop = this.#top;
  }

  #paint({ window, gutter, text }: Elements, overscan: number): void {
    const { total } = this.#rows;
    const first = Math.min(this.#firstRow(), Math.max(0, total - 1));
    const from = total === 0 ? 0 : this.#startOf(Math.max(0, first - overscan));
    const to = Math.min(total, first + this.#visible() + 1 + overscan);
    const isEnd = to >= total ? this.#buffer.columns(this.#buffer.count - 1) : 0;
    const key = `${from} ${to} ${this.#look} ${this.#buffer.dropped} ${isEnd}`;
    if (key === this.#painted) return;
    this.#painted = key;
    this.#from = from;
    const offset = this.#scale() === 1 ? from * LINE_PX : this.#top - (first - from) * LINE_PX;
    window.style.transform = `translateY(${offset}px)`;
    const picture = { buffer: this.#buffer, rows: this.#rows, from, to, needle: this.#needle };
    const width = this.#isWrapped ? this.#columns : 0;
    const { numbers, nodes } = nodesOf({ ...picture, width, picked: this.#picked, current: this.#current });
    gutter.textContent = numbers;
    text.replaceChildren(...nodes);
  }

  /** Moves back to the first row of a wrapped line, where drawing has to start. */
  #startOf(row: number): number {
    return row - this.#rows.at(row).row;
  }
}

const samePick = (left: Picked | undefined, right: Picked | undefined): boolean =>
  left?.from === right?.from && left?.to === right?.to;
