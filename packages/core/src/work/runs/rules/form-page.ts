import type { Field } from "../../../directory/plugins/model.ts";
import { escapeHtml } from "../../../lib/text/html.ts";

/** Contents of a form page. */
export interface FormFacts {
  readonly title: string;
  /** Text of the trigger, shown unchanged above the fields. */
  readonly body: string;
  readonly fields: readonly Field[];
  /** Most files that may be sent; undefined = any number. */
  readonly files: number | undefined;
  readonly key: string;
  /** Allows the page's style and script in its content security policy. */
  readonly nonce: string;
}

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}
label{display:block;margin:1rem 0}input:not([type=checkbox]),textarea,select{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem}
small{color:light-dark(#666,#aaa)}p.body{white-space:pre-wrap}output{display:block;white-space:pre-wrap;margin-top:1rem}button{font:inherit;padding:.5rem 1.5rem}
`;

/** Sends the form, then follows the job. Without scripts, the browser submits the form and shows the answer. */
const SCRIPT = `
const form=document.querySelector("form"),out=document.querySelector("output"),button=document.querySelector("button");
const show=(text)=>{out.textContent=text};
form.addEventListener("submit",async(event)=>{
  event.preventDefault();button.disabled=true;show("…");
  const data=new FormData(form);
  for(const box of form.querySelectorAll("input[type=checkbox]"))data.set(box.name,box.checked?"true":"false");
  const files=data.getAll("file1").filter((file)=>file.size>0);
  data.delete("file1");files.forEach((file,index)=>data.append("file"+(index+1),file));
  try{
    const answer=await (await fetch(form.action,{method:"POST",body:data})).json();
    show(answer.description||"");
    if(answer.code===0)follow(answer);else button.disabled=false;
  }catch(error){show(String(error));button.disabled=false}
});
function follow({id,stream}){
  const source=new EventSource("../../stream_job/v1?id="+encodeURIComponent(id)+"&token="+encodeURIComponent(stream));
  source.addEventListener("update",(event)=>{
    const job=JSON.parse(event.data);
    if(job.description)show(job.description);else if(job.state==="complete"||job.completed)show(job.code?"Failed.":"Done.");
  });
  source.addEventListener("end",()=>{source.close();button.disabled=false});
}
`;

/** The page of a magic link: the fields of the event, and a file input if files are allowed. */
export function formPage({ title, body, fields, files, key, nonce }: FormFacts): string {
  const inputs = fields.flatMap(fieldHtml).join("\n");
  const file =
    files === 0 ? "" : `<label>Files<input type="file" name="file1"${files === 1 ? "" : " multiple"}></label>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><h1>${escapeHtml(title)}</h1>${body === "" ? "" : `<p class="body">${escapeHtml(body)}</p>`}
<form method="post" enctype="multipart/form-data" action="../../magic/v1/${encodeURIComponent(key)}">
${inputs}
${file}
<button>Run</button></form><output></output><script nonce="${nonce}">${SCRIPT}</script></body></html>
`;
}

/** Headers that isolate the page: no foreign content, no frames on other sites, no referrer. */
export const formHeaders = (nonce: string): Record<string, string> => ({
  "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'`,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
});

/** Types of fields that the engine fills in, or whose value administrators set. */
const UNASKED: ReadonlySet<string> = new Set(["hidden", "system", "bucket", "toolset"]);

function fieldHtml(field: Field): string[] {
  const { id, locked, title = id, type } = field;
  if (UNASKED.has(type) || locked) return [];
  if (type === "group") return [`<h2>${escapeHtml(title)}</h2>`];
  const caption = field.caption ? `<small>${escapeHtml(field.caption)}</small>` : "";
  return [`<label>${escapeHtml(title)}${inputHtml(field)}${caption}</label>`];
}

function inputHtml({ id, multiple, required, type, value, variant }: Field): string {
  const name = `name="${escapeHtml(id)}"${required ? " required" : ""}`;
  if (type === "checkbox")
    return ` <input type="checkbox" name="${escapeHtml(id)}" value="true"${value ? " checked" : ""}>`;
  if (type === "select") return `<select ${name}${multiple ? " multiple" : ""}>${optionsHtml(textOf(value))}</select>`;
  if (type === "text")
    return `<input type="${escapeHtml(variant || "text")}" ${name} value="${escapeHtml(textOf(value))}">`;
  return `<textarea ${name} rows="5">${escapeHtml(textOf(value))}</textarea>`;
}

/** The options of a menu, whose definition has the form "Label [value], …". */
function optionsHtml(menu: string): string {
  return menu
    .split(/\s*,\s*/)
    .filter((item) => item !== "")
    .map((item) => {
      const [, label = item, id = item] = /^(.*?)\s*\[([^\]]*)\]\s*$/.exec(item) ?? [];
      return `<option value="${escapeHtml(id.trim())}">${escapeHtml(label)}</option>`;
    })
    .join("");
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

/** A script that passes the facts of a link to the page of a client. */
export function formScript(page: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify({ Page: [page] }).replace(
    /[<\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `app.receiveConfig(${json});\n`;
}
