const LINES = {
  ok: "M3 8.6l3.2 3.2L13 4.6",
  run: "M8 2.2A5.8 5.8 0 1 1 2.2 8",
  wait: "M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2M8 5v3.2l2 1.3",
  gone: "M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2M4 12 12 4",
  hush: "M4.2 6.2a3.8 3.8 0 0 1 7-2M12 7.5c0 2.4 1 3.5 1 3.5H5M3.4 11S4 10.3 4.1 8.5M6.7 13.6h2.6M2.2 2.2l11.6 11.6",
  ack: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6",
  home: "M2.5 2.5h4.6v4.6H2.5zM8.9 2.5h4.6v4.6H8.9zM2.5 8.9h4.6v4.6H2.5zM8.9 8.9h4.6v4.6H8.9z",
  bell: "M4.2 6.4a3.8 3.8 0 0 1 7.6 0C11.8 10 13 11 13 11H3s1.2-1 1.2-4.6M6.7 13.6h2.6",
  ticket: "M2 5.5V4h12v1.5a2.5 2.5 0 0 0 0 5V12H2v-1.5a2.5 2.5 0 0 0 0-5M9.5 4v8",
  cal: "M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v2.5M10.5 2v2.5",
  jobs: "M6 4h8M6 8h8M6 12h8M2 3l2 1-2 1zM2 7l2 1-2 1zM2 11l2 1-2 1z",
  flow: "M2 2.5h4v4H2zM10 9.5h4v4h-4zM6 4.5h3.5a2.5 2.5 0 0 1 2.5 2.5v2.5",
  server: "M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.8h.01M5 11.2h.01",
  stack: "M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3",
  camera: "M2 5h3l1-1.5h4L11 5h3v8H2zM8 7a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
  gauge: "M2.5 11.5a5.8 5.8 0 1 1 11 0M8 10.5l2.5-4",
  rule: "M2.5 12.5l3.5-6 3 4 4.5-8",
  mail: "M2 3.5h12v9H2zM2 4l6 5 6-5",
  link: "M6.5 9.5l3-3M7 4.5l1.5-1.5a2.8 2.8 0 0 1 4.3 3.8L11 8.5M9 11.5 7.5 13a2.8 2.8 0 0 1-4-4L5 7.5",
  plug: "M5.5 2v3.5M10.5 2v3.5M3.5 5.5h9V8a4.5 4.5 0 0 1-9 0zM8 12.5V15",
  key: "M10.5 2.5a3 3 0 1 1-2.8 4.1L2.5 11.8v1.7h2v-1.5H6v-1.5h1.5l1.2-1.2",
  people:
    "M6 3a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.8c1.5.5 2.5 1.8 2.5 3.7",
  pulse: "M1.5 8.5h3l2-5 3 9 2-4h3",
  gear: "M8 5.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4M8 1.8v1.8M8 12.4v1.8M1.8 8h1.8M12.4 8h1.8M3.6 3.6l1.3 1.3M11.1 11.1l1.3 1.3M3.6 12.4l1.3-1.3M11.1 4.9l1.3-1.3",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.5 10.5l3.3 3.3",
  down: "M4 6.5l4 4 4-4",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  x: "M4 4l8 8M12 4l-8 8",
  dl: "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11",
  wrapi: "M2 3.5h12M2 8h9.5a2.2 2.2 0 0 1 0 4.4H8.5M10 10.6l-1.8 1.8L10 14.2M2 12.4h3",
  follow: "M8 2v8M4.8 7.2 8 10.4l3.2-3.2M3 13.5h10",
  full: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  plus: "M8 3v10M3 8h10",
  retry: "M13.5 3v3.5H10M13.2 6.5A5.6 5.6 0 1 0 13.6 9",
  file: "M4 2h5l3.5 3.5V14H4zM9 2v3.5h3.5",
  tag: "M2.5 2.5H8l5.5 5.5L8 13.5 2.5 8zM5.5 5.5h.01",
  brand: "M8 15V5.5M8 2.5h5.5v3H8zM5.5 15h5M8 8.5H3.5v3H8",
  left: "M9.5 4l-4 4 4 4",
  right: "M6.5 4l4 4-4 4",
  up: "M4 9.5l4-4 4 4",
  edit: "M3 13l.6-2.6L10.5 3.5l2 2-6.9 6.9zM9 5l2 2",
  copy: "M5.5 5.5h8v8h-8zM3.5 10.500h-1v-8h8v1",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M6.8 7v4M9.2 7v4",
  play: "M5 3l8 5-8 5z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  filter: "M2.5 3.5h11l-4.2 5v4.5l-2.6-1.5v-3z",
  table: "M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.5 6.3V13",
  user: "M8 2.5a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6M2.8 13.5c.4-2.7 2.5-4 5.2-4s4.8 1.3 5.2 4",
  out: "M9.5 11v2.5h-7v-11h7V5M6.5 8h7.5M11.5 5.5L14 8l-2.5 2.5",
  box: "M2.5 5L8 2.2 13.5 5v6L8 13.8 2.5 11zM2.5 5L8 7.8 13.5 5M8 7.8v6",
  blank: "",
  info: "M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2M8 7.5v3.5M8 5.2v.01",
} as const;
const SOLID = {
  crit: "M5.1 1.5h5.8l3.6 3.6v5.8l-3.6 3.6H5.1l-3.6-3.6V5.1zM7.2 4.3v4.7h1.6V4.3zM7.2 10.2v1.6h1.6v-1.6z",
  warn: "M8 1.4a.9.9 0 0 1 .8.5l6 11a.9.9 0 0 1-.8 1.4H2a.9.9 0 0 1-.8-1.4l6-11a.9.9 0 0 1 .8-.5zM7.2 5.8v4h1.6v-4zM7.2 10.9v1.6h1.6v-1.6z",
  fail: "M8 1.2a6.8 6.8 0 1 0 0 13.6A6.8 6.8 0 0 0 8 1.2zM5.7 4.7 8 7l2.3-2.3 1 1L9 8l2.3 2.3-1 1L8 9l-2.3 2.3-1-1L7 8 4.7 5.7z",
  abort:
    "M3 1.5h10A1.5 1.5 0 0 1 14.5 3v10a1.5 1.5 0 0 1-1.5 1.5H3A1.5 1.5 0 0 1 1.5 13V3A1.5 1.5 0 0 1 3 1.5zM5.2 7.2v1.6h5.6V7.2z",
} as const;

export type IconName = keyof typeof LINES | keyof typeof SOLID;

/** 16 px, in the colour of the surrounding text. Screen readers skip it, unless it has a label. */
export function Icon({ name, label }: { readonly name: IconName; readonly label?: string }) {
  const isSolid = name in SOLID;
  const path = isSolid ? SOLID[name as keyof typeof SOLID] : LINES[name as keyof typeof LINES];
  const named = label ? { role: "img" as const, "aria-label": label } : { "aria-hidden": true as const };
  return (
    <svg viewBox="0 0 16 16" class={`i i-${name}${isSolid ? " solid" : ""}`} {...named}>
      <path d={path} />
    </svg>
  );
}
