import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const gateway = process.env.TOLLGATE_URL ?? "http://127.0.0.1:3000";

/** What every page needs, in one file: many small requests cost more than they save. */
const SHELL =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack(?!\/(react-virtual|virtual-core))|i18next|react-i18next|html-parse-stringify|zod|clsx|class-variance-authority)\//;

/** What every page needs of larger packages and of ourselves; not what they load only when it is wanted. */
const SHELL_FILES =
  /@base-ui\/react\/(csp-provider|internals\/csp-context)\/|\/contract\/(values\/(?!decimal)|sign-in\/|version|api\/(session|status|user)\.|management\/(envelope|wire)\.|resource\/(endpoint|fields|resource)\.)|\/console\/app\/(?!user-menu|narrow-menu|use-sign-out|setting-page|personal-tab|log-page|detail-pages|page-parts|order-page|model-cards|command|rank-commands|keys|shortcut)|\/console\/lib\/(?!announcements|endpoint-|groups|known-models|losses-query|sanitise|growing-list|use-list|list-view|list-address|looks-secret|restart-read|limit-fields|use-fields|json-table|json-text|self|format-measure|usage|exact-quota|use-ledger-texts|use-filter-draft|written-span|connect-guides|connect-templates|use-chosen-columns|offered-models|profit-text|setting-fields|use-row-keys|save-file|typed-number|suggestions|use-paused|saved-views|switch-record|frame-sandbox|sort-rows)|\/console\/components\/(button|toaster|rich-text|page-loading|empty-state|failed-state|lazy-boundary)\.tsx|lucide-react\/dist\/esm\/(createLucideIcon|Icon|context|defaultAttributes|shared)/;

/**
 * What the menu under the username is made of, and so every page for logged-in people: in one file, because other
 * popups share pieces of it and would cut it into crumbs that compress badly. Not what only other popups need.
 */
const MENU =
  /@floating-ui\/|@base-ui\/utils\/|@base-ui\/react\/(menu|menubar|context-menu|toolbar|merge-props|floating-ui-react|internals|utils)\/(?!.*(filter\.mjs|serializeValue|resolveValueLabel|itemEquality|labelable|field-|form-context|[cC]ompositeRoot\.mjs|composite\/constants|useInitialLive|gridNavigation|useFloatingRootContext|scrollable|closePart|scrollEdges|styles\.mjs|ItemIndicator|resolveAria))|\/console\/components\/menu\.tsx/;

/** What every list is made of. */
const LIST =
  /\/console\/components\/(list-page|data-table|table-head|table-row|row-card|page-size|pagination|search-field|row-actions|confirm-button|badge|group-badges)\.tsx|\/console\/lib\/(growing-list|use-list|use-list-search|use-list-filter|use-chosen-columns|list-view|list-address|looks-secret|endpoint-lists|endpoint-query|groups|switch-record|sort-rows)\.|lucide-react\/dist\/esm\/icons\/plus\./;

/** What every form is made of. */
const FORM =
  /node_modules\/(react-hook-form|@hookform)\/|\/console\/components\/(form-page|switch-field|advanced-section|panel-loading|leave-guard)\.tsx|\/console\/lib\/(use-fields|limit-fields)\./;

export default defineConfig(({ command }) => {
  // A build that a test run starts inherits its NODE_ENV, and would ship React's development half.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: fileURLToPath(new URL(".", import.meta.url)),
    plugins: [react(), tailwindcss()],
    server: { proxy: { "/api": gateway, "/v1": gateway } },
    build: {
      outDir: "../dist/console",
      emptyOutDir: true,
      // Says which files a page needs: the build weighs them by it (tools/lib/first-load.mjs).
      manifest: true,
      // Inlined assets become data: addresses, which the content security policy allows for images only.
      assetsInlineLimit: 0,
      rolldownOptions: {
        // What makes schemas does nothing else: those that only the server reads are left out.
        treeshake: {
          manualPureFunctions: [
            "z",
            "toWireNames",
            "schemasOf",
            "maybe",
            "exchangeOf",
            "resource",
            "listOf",
            "mapped",
            "optional",
            "plain",
            "readerOf",
            "endpoint",
          ],
        },
        output: {
          codeSplitting: {
            groups: [
              { name: "shell", test: SHELL, priority: 3 },
              { name: "shell", test: SHELL_FILES, priority: 3 },
              { name: "menu", test: MENU, priority: 2 },
              { name: "list", test: LIST, priority: 1 },
              { name: "form", test: FORM, priority: 1 },
            ],
          },
        },
      },
    },
  };
});
