import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { type Crumb, useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { Markdown } from "../../parts/markdown/index.tsx";
import { FindField } from "../../parts/query/find-field.tsx";
import { pathTo } from "../../router/match.ts";
import { href, place } from "../../router/router.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { beginOf, nameOf, withLinks, withoutBreaks } from "./links.ts";
import { t } from "./texts.ts";

type Section = Awaited<ReturnType<typeof api.searchDocs>>["rows"][number];

/** The documentation of this version: search, and reading by page or section. */
export function Page() {
  const { q = "", doc = "", anchor = "" } = place.value.query;
  const above: Crumb = { title: frame("page.guides"), href: href("/guides") };
  useCrumbs(doc ? [above, { title: nameOf(doc) }] : [above]);
  return (
    <>
      <Head title={frame("page.guides")} note={t("summary")} />
      {doc ? <Read key={`${doc} ${anchor}`} doc={doc} anchor={anchor} /> : <Find typed={q} />}
    </>
  );
}

/** Reads one section if `anchor` names one, else the whole page. */
async function readDoc(doc: string, anchor: string, signal: AbortSignal): Promise<string> {
  if (anchor) {
    const { rows } = await api.searchDocs({ anchor }, { signal });
    const section = rows.find((row) => row.doc === doc);
    if (section) return section.markdown;
  }
  return (await api.getDoc({ doc }, { signal })).markdown;
}

function Read({ doc, anchor }: { readonly doc: string; readonly anchor: string }) {
  const found = useLoad(`doc ${doc} ${anchor}`, (signal) => readDoc(doc, anchor, signal));
  const whole = anchor && (
    <a class="btn row" href={href(pathTo("/guides", { doc }))}>
      {t("whole")}
    </a>
  );
  return (
    <Panel title={nameOf(doc)} more={whole} class="doc">
      <WhenLoaded of={found} rows={12}>
        {(markdown) => (
          <div class="inner">
            <Markdown text={withLinks(doc, withoutBreaks(markdown))} />
          </div>
        )}
      </WhenLoaded>
    </Panel>
  );
}

const columns: readonly Column<Section>[] = [
  {
    key: "section",
    title: () => t("section"),
    width: "30%",
    cell: ({ doc, anchor, heading }) => <a href={href(pathTo("/guides", { doc, anchor }))}>{heading}</a>,
  },
  {
    key: "begins",
    title: () => t("begins"),
    rank: 3,
    cell: ({ markdown }) => <span class="dim cut">{beginOf(withoutBreaks(markdown))}</span>,
  },
  {
    key: "page",
    title: () => t("page"),
    width: "14rem",
    rank: 2,
    cell: ({ doc }) => <span class="dim cut">{nameOf(doc)}</span>,
  },
];
const keyOf = ({ doc, anchor }: Section): string => `${doc} ${anchor}`;

function Find({ typed }: { readonly typed: string }) {
  const text = typed.trim();
  const found = useLoad(
    `docs ${text}`,
    (signal) => (text ? api.searchDocs({ query: text }, { signal }) : Promise.resolve(undefined)),
    "docs",
  );
  const { rows = [], list } = found.data.value ?? {};
  const error = found.error.value;
  return (
    <Panel
      title={t("sections")}
      {...(text && list ? { count: t("counted", { n: rows.length, all: list.length }) } : {})}
    >
      <div class="filters" role="search" aria-label={t("find")}>
        <FindField label={t("find")} placeholder={t("hint")} value={typed} />
      </div>
      {text === "" ? (
        <Empty>{t("ask")}</Empty>
      ) : error?.code === "admin" ? (
        // The server has no documentation, so offering a retry would not help.
        <Empty>{error.description}</Empty>
      ) : (
        <WhenLoaded of={found} rows={8}>
          {() =>
            rows.length === 0 ? (
              <Empty>{t("nothing", { text })}</Empty>
            ) : (
              <Table label={t("sections")} columns={columns} rows={rows} keyOf={keyOf} />
            )
          }
        </WhenLoaded>
      )}
    </Panel>
  );
}
