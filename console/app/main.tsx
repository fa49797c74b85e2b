import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod/mini";
import { readBaseAddress } from "../lib/base-address";
import { startLanguage } from "../lib/i18n";
import { clearCache, createQueryClient } from "../lib/query-client";
import { onUnauthorised } from "../lib/report-error";
import { followTheme } from "../lib/theme";
import "./app.css";
import { followUser } from "./follow-user";
import { createConsoleRouter } from "./router";
import { startUp } from "./start-up";

// Must run before the first parse: the content security policy forbids the code that zod would generate.
z.config({ jitless: true });

const start = async (root: HTMLElement): Promise<void> => {
  followTheme();
  await Promise.all([startLanguage(), readBaseAddress()]);
  const queryClient = createQueryClient();
  const router = createConsoleRouter();
  onUnauthorised(() => {
    void router.navigate({ to: "/login", search: { expired: true } }).then(() => clearCache(queryClient));
  });
  followUser(queryClient, router);
  void startUp(queryClient);
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
};

const root = document.getElementById("root");
// No top-level await: a language's file imports this one, and would wait for it in turn.
if (root) void start(root);
