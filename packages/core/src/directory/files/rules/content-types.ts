const TYPES = `
text/plain: txt log text conf ini
text/html: html htm
text/css: css
text/csv: csv
text/tab-separated-values: tsv
text/markdown: md markdown
text/calendar: ics
text/javascript: js mjs cjs
application/json: json map
application/x-ndjson: ndjson jsonl
application/xml: xml xsl
application/xhtml+xml: xhtml xht
application/yaml: yaml yml
application/toml: toml
application/sql: sql
application/pdf: pdf
application/rtf: rtf
application/zip: zip
application/gzip: gz tgz
application/zstd: zst
application/x-bzip2: bz2
application/x-xz: xz
application/x-tar: tar
application/x-7z-compressed: 7z
application/wasm: wasm
application/msword: doc
application/vnd.ms-excel: xls
application/vnd.ms-powerpoint: ppt
application/vnd.openxmlformats-officedocument.wordprocessingml.document: docx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet: xlsx
application/vnd.openxmlformats-officedocument.presentationml.presentation: pptx
application/vnd.oasis.opendocument.text: odt
application/vnd.oasis.opendocument.spreadsheet: ods
image/png: png
image/jpeg: jpg jpeg
image/gif: gif
image/webp: webp
image/avif: avif
image/bmp: bmp
image/tiff: tif tiff
image/svg+xml: svg svgz
image/x-icon: ico
audio/mpeg: mp3
audio/ogg: ogg oga
audio/wav: wav
audio/mp4: m4a
video/mp4: mp4 m4v
video/webm: webm
video/quicktime: mov
font/woff2: woff2
font/woff: woff
font/ttf: ttf
font/otf: otf
`;

const BY_ENDING: ReadonlyMap<string, string> = new Map(
  TYPES.trim()
    .split("\n")
    .flatMap((line) => {
      const [type = "", endings = ""] = line.split(": ");
      return endings.split(" ").map((ending) => [ending, type] as const);
    }),
);

/** Content type of a file by the extension of its name. */
export function contentTypeOf(name: string): string {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return BY_ENDING.get(ending) ?? "application/octet-stream";
}

/**
 * Content that a browser would run with the rights of the service's origin if it displayed it (docs/contract/files.md#serving).
 */
export const isActiveContent = (type: string): boolean => /html|svg|xml|javascript/.test(type);
