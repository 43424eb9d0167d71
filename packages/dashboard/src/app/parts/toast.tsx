import { close, say, shown } from "../data/said.ts";
import { href } from "../router/router.ts";
import { t } from "../texts/frame.ts";
import { Mark } from "./basic.tsx";
import { Button } from "./button.tsx";

export const Toasts = () => (
  <div class="toasts" role="status">
    {shown.value.map(({ id, text, tone = "ok", path, undo }) => (
      <div key={id} id={`toast-${id}`} class="toast">
        <Mark state={tone === "crit" ? "fail" : "ok"} />
        <span dir="auto">{text}</span>
        {path !== undefined && (
          <a class="btn row" href={href(path)} onClick={() => close(id)}>
            {t("open")}
          </a>
        )}
        {undo && (
          <Button
            kind="row"
            onClick={async () => {
              close(id);
              await undo().catch((reason: Error) => say({ tone: "crit", text: reason.message }));
            }}
          >
            {t("undo")}
          </Button>
        )}
        <Button kind="bare" icon="x" label={t("dismiss")} onClick={() => close(id)} />
      </div>
    ))}
  </div>
);
