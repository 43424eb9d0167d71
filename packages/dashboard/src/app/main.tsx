import { render } from "preact";
import { asError } from "./data/calls/load.ts";
import { boot, hasEnded, start, tick, viewer } from "./data/calls/session.ts";
import { startSuccessor, successor } from "./data/channel/successor.ts";
import { isEntered, startEntered } from "./data/entered.ts";
import { startKeys } from "./data/keys.ts";
import { onLive } from "./data/live.ts";
import { Frame } from "./frame/frame.tsx";
import { startTheme } from "./frame/theme.ts";
import { pages } from "./pages/index.ts";
import { isResetting, Login } from "./pages/login/index.tsx";
import { Failed } from "./parts/basic/states.tsx";
import { Lazy, loadEarly } from "./parts/lazy.tsx";
import { startFullTexts } from "./parts/lists/full-texts.ts";
import { findPage, setPages } from "./router/find-page.ts";
import { place, startRouter } from "./router/router.ts";

const root = document.getElementById("app") as HTMLElement;

function App() {
  // A person who is signed in may still open a link to reset a forgotten password.
  if (!viewer.value || isResetting.value) return boot.value ? <Login /> : null;
  return (
    <>
      <Frame />
      {(hasEnded.value || successor.value) && (
        <Lazy load={() => import("./pages/login/again.tsx")} part={({ Again }) => <Again />} />
      )}
    </>
  );
}

/** True when the page has unsaved entries and its owner can sign in again over it. */
const mayStay = (): boolean => boot.peek()?.signIn === "own" && viewer.peek()?.kind === "user" && isEntered();

/** Ends the page after the session has ended. */
function leave(): void {
  if (mayStay()) {
    hasEnded.value = true;
    return;
  }
  // The sign-in page reads this and says that the session has ended.
  history.replaceState({ hasEnded: true }, "");
  location.reload();
}

setPages(pages);
startTheme();
startRouter();
startKeys();
startEntered();
startFullTexts();
startSuccessor(leave);
onLive("logout", leave);
setInterval(tick, 1000);
/** Loads the code of the page in parallel with the first answer. If it does not come, the page itself says so. */
async function loadPage(): Promise<void> {
  const load = findPage(place.peek().path)?.entry.load;
  if (load) await loadEarly(load).catch(() => undefined);
}

Promise.all([start(), loadPage()]).then(
  () => render(<App />, root),
  (error: unknown) =>
    render(
      <main class="login">
        <Failed error={asError(error)} onRetry={() => location.reload()} />
      </main>,
      root,
    ),
);
