/** All styles of the reference page, which loads no files. */
export const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1c2430,#dfe5ee);--faint:light-dark(#566173,#9aa5b5);--line:light-dark(#d5dbe4,#333c49)}
body{margin:0 auto;max-width:70rem;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:light-dark(#fff,#14181f)}
h1{margin:0}h3{margin:1rem 0 .25rem;font-size:1rem}a{color:light-dark(#1a55b8,#8db8ff)}
code,pre{font:.875rem/1.45 ui-monospace,monospace}pre{overflow:auto;padding:.75rem;border:1px solid var(--line)}
nav ul{columns:16rem;list-style:none;padding:0}
details{border-top:1px solid var(--line)}summary{padding:.5rem 0;cursor:pointer}summary span{color:var(--faint)}
details>div{padding:0 0 1rem 1rem;overflow-x:auto}.faint{color:var(--faint)}
table{border-collapse:collapse;width:100%}th,td{padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
@media(width<40rem){thead{display:none}tr{display:block;padding:.5rem 0;border-bottom:1px solid var(--line)}td{display:block;padding:0;border:0}}
td{overflow-wrap:anywhere}td:first-child{min-width:12rem}
:target>summary,:target>h3{background:light-dark(#fff6d6,#3a3320)}
`;
