interface ReadingApi {
  getQuickmonData(input?: object): Promise<unknown>;
  getActiveJobs(input?: object): Promise<unknown>;
}

/** Data of the page: the quick samples of this machine and its running jobs. */
export async function liveState(signalbox: { readonly api: ReadingApi }): Promise<object> {
  const [quick, jobs] = await Promise.all([
    signalbox.api.getQuickmonData({ server: "local", shape: "samples" }),
    signalbox.api.getActiveJobs({}),
  ]);
  const { servers } = quick as { servers: Record<string, unknown[]> };
  return { samples: servers["local"] ?? [], jobs: (jobs as { rows: unknown[] }).rows.length };
}

export const livePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Signalbox quick start</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
  dl { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1rem; }
  dt { opacity: .7; } dd { margin: 0; font-size: 1.6rem; font-variant-numeric: tabular-nums; }
  svg { width: 100%; height: 8rem; border-bottom: 1px solid; }
</style>
<h1>This machine</h1>
<dl>
  <div><dt>CPU</dt><dd id="cpu">–</dd></div>
  <div><dt>Memory in use</dt><dd id="mem">–</dd></div>
  <div><dt>Load</dt><dd id="load">–</dd></div>
  <div><dt>Jobs running</dt><dd id="jobs">–</dd></div>
</dl>
<svg viewBox="0 0 60 100" preserveAspectRatio="none" role="img" aria-label="CPU usage of the last minute">
  <polyline id="line" fill="none" stroke="currentColor" stroke-width="1.5" vector-effect="non-scaling-stroke"/>
</svg>
<p>The API is at <a href="/ops/api/openapi.json">/ops/api</a>; the administrator key is in your terminal.</p>
<script>
  const show = (id, text) => { document.getElementById(id).textContent = text; };
  async function refresh() {
    const { samples, jobs } = await (await fetch("/live")).json();
    const last = samples.at(-1);
    show("jobs", jobs);
    if (!last) return;
    show("cpu", last._qm_cpu_usage.toFixed(0) + " %");
    show("mem", (last._qm_mem_used / 2 ** 30).toFixed(2) + " GB");
    show("load", last._qm_cpu_load.toFixed(2));
    document.getElementById("line").setAttribute("points",
      samples.map((s, i) => i + "," + (100 - s._qm_cpu_usage)).join(" "));
  }
  setInterval(() => refresh().catch(() => {}), 1000);
  refresh();
</script>
</html>
`;
