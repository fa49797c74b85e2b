/**
 * Every component of `console/components`, in both themes: /testing/gallery/ of `npm run dev`. It is not part of the
 * build. `?theme=dark` or `?theme=light` shows one theme, `?lang=en` another language.
 */
import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import * as z from "zod/mini";
import { loadTexts, startLanguage } from "../../lib/i18n";
import { createQueryClient } from "../../lib/query-client";
import "./gallery.css";
import { Toaster } from "../../components/toaster";
import { ACTIONS } from "./actions";
import { answerFromNowhere } from "./answers";
import { BATCHES } from "./batches";
import { FIELDS } from "./fields";
import { LISTS } from "./lists";
import { NOTICES } from "./notices";
import { PICTURES } from "./pictures";
import type { Specimen } from "./specimen";

z.config({ jitless: true });

const GROUPS: Readonly<Record<string, readonly Specimen[]>> = {
  Actions: ACTIONS,
  Fields: FIELDS,
  Lists: LISTS,
  Batches: BATCHES,
  Notices: NOTICES,
  Pictures: PICTURES,
};

const Gallery = () => (
  <main className="mx-auto flex max-w-5xl flex-col gap-8 p-6">
    <h1 className="font-semibold text-2xl">Components</h1>
    {Object.entries(GROUPS).map(([group, specimens]) => (
      <section key={group} className="flex flex-col gap-5">
        <h2 className="font-semibold text-lg">{group}</h2>
        {specimens.map(({ name, Shown }) => (
          <div key={name} data-component={name} className="flex flex-col gap-2">
            <h3 className="font-mono text-xs text-ink-2">{name}</h3>
            <Shown />
          </div>
        ))}
      </section>
    ))}
    <Toaster />
  </main>
);

/** Both themes side by side, each in a frame: popups have the theme of their page. */
const BothThemes = ({ search }: { search: URLSearchParams }) => (
  <div className="flex h-dvh max-wide:flex-col">
    {["light", "dark"].map((theme) => (
      <iframe
        key={theme}
        title={theme}
        src={`?${new URLSearchParams([...search, ["theme", theme]])}`}
        className="min-h-0 flex-1"
      />
    ))}
  </div>
);

const start = async (root: HTMLElement): Promise<void> => {
  const search = new URLSearchParams(location.search);
  const theme = search.get("theme");
  if (theme === null) return createRoot(root).render(<BothThemes search={search} />);
  document.documentElement.dataset.theme = theme;
  const language = search.get("lang");
  if (language !== null) localStorage.setItem("language", language);
  answerFromNowhere();
  await startLanguage();
  await loadTexts([
    "announcements",
    "batch",
    "detail",
    "json-table",
    "limits",
    "permissions",
    "profit",
    "tokens",
    "usage",
  ]);
  const router = createRouter({
    routeTree: createRootRoute({ component: Gallery, notFoundComponent: Gallery }),
    history: createMemoryHistory(),
  });
  createRoot(root).render(
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>,
  );
};

const root = document.getElementById("root");
if (root) void start(root);
