import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, runnerImport } from "vite";
import { askedPatterns } from "./lib/languages";

const gateway = process.env.TOLLGATE_URL ?? "http://127.0.0.1:3000";

/** Modules by their paths without the extension, as expressions. */
const modules = (...paths: string[]): RegExp => new RegExp(`/(?:${paths.join("|")})[.](?:tsx?|m?js)$`);

/**
 * Modules that always load together, in one file each: many small requests cost more than they save. A group includes
 * its modules' imports unless an earlier group has them; the bundler divides the rest.
 */
const GROUPS = [
  {
    name: "vendor",
    test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack(?!\/(?:react-virtual|virtual-core))|i18next|react-i18next|html-parse-stringify|zod|clsx|class-variance-authority)\//,
  },
  {
    // The frame of every page, and small modules of most pages.
    name: "shell",
    test: modules(
      "console/app/main",
      "console/components/(?:failed-state|page-frame|text-field|toaster)",
      "console/lib/(?:address-values|bearer-key|copy|endpoint-query|format|switch-record|use-address|use-endpoint|use-mistakes|use-mutation|use-refusals|focus-mistake)",
      "contract/management/unsupported-fields",
      "contract/values/(?:auto-group|is-object|split-list|time)",
      "lucide-react/dist/esm/icons/(?:check|chevron-down|chevron-left|chevron-right|copy|minus|plus|search|x)",
    ),
  },
  {
    name: "controls",
    test: modules(
      "console/components/(?:admins-only|advanced-section|choices-field|date-time-field|leave-guard|multi-select|panel-loading|segmented|select|select-field|switch-field)",
      "console/lib/json-text",
    ),
  },
  {
    // The rows that lists and forms read; the forms draw no list.
    name: "rows",
    test: modules(
      "console/components/pagination",
      "console/lib/(?:endpoint-lists|format-measure|groups|growing-list|list-address)",
      "contract/management/(?:limits|time-limits)",
      "contract/resource/(?:file-parameters|limits)",
      "lucide-react/dist/esm/icons/(?:arrow-down|arrow-up)",
    ),
  },
  {
    name: "list",
    test: modules(
      "console/components/(?:add-link|confirm-button|group-badges|list-filters|list-page|plain-columns|record-link|row-actions)",
      "console/lib/(?:use-chosen-columns|use-list|use-list-filter|use-list-search|use-narrowed-list)",
      "contract/resource/list-sort",
    ),
  },
  {
    name: "form",
    test: modules(
      "console/components/form-page",
      "console/lib/(?:limit-fields|use-fields)",
      "node_modules/(?:react-hook-form|@hookform)/.*",
    ),
  },
  {
    name: "export",
    test: modules("console/components/export-button", "console/lib/usage/usage-range"),
  },
  {
    name: "usage",
    test: modules(
      "console/components/chart/(?:chart-colors|sparkline|time-chart)",
      "console/components/success-share",
      "console/lib/usage/.*",
      "contract/api/(?:logs|usage)",
    ),
  },
  {
    name: "model-price",
    test: modules("contract/management/(?:model-price|price-rule)", "contract/api/pricing"),
  },
  {
    name: "channels",
    test: modules(
      "console/components/vendor-mark",
      "console/features/channels/(?:channel-queries|test-button)",
      "console/lib/(?:known-models|vendor-name)",
      "contract/api/channels",
      "contract/management/model-changes",
    ),
  },
  {
    // The form of a channel, and the quick start, which makes a channel by the same rules.
    name: "channel-form",
    test: modules("console/features/channels/(?:channel-form|type-select)"),
  },
  {
    name: "exact-quota",
    test: modules("console/lib/(?:currency-name|exact-quota)", "contract/payments/currencies"),
  },
  {
    name: "json-table",
    test: modules("console/components/json-table-field", "console/lib/json-table"),
  },
];

/**
 * Replaces the modules that say what the console knows of the vendors with the data that they make of the vendors' files:
 * prices, routes and error codes would weigh more than the pages.
 */
const vendorsAsData: Plugin = {
  name: "vendors-as-data",
  load: {
    filter: { id: /\/vendors\/slim\/(?:cards|forms)[.]ts$/ },
    async handler(id) {
      const { module, dependencies } = await runnerImport<Record<string, unknown>>(id, { configFile: false });
      for (const file of dependencies) this.addWatchFile(file);
      return Object.entries(module)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join("\n");
    },
  },
};

/** Writes into the page which browser languages select which language: its first script runs before any module. */
const languagesInPage: Plugin = {
  name: "languages-in-page",
  transformIndexHtml: (html) =>
    html.replace("<html ", `<html data-asked='${JSON.stringify(askedPatterns())}' `),
};

export default defineConfig(({ command }) => {
  // A build started by a test run inherits its NODE_ENV, and would ship React's development build.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: fileURLToPath(new URL(".", import.meta.url)),
    plugins: [vendorsAsData, languagesInPage, react(), tailwindcss()],
    server: { proxy: { "/api": gateway, "/pg/": gateway, "/v1": gateway } },
    build: {
      outDir: "../dist/console",
      emptyOutDir: true,
      // Lists the files of each page: the build measures their weight (tools/lib/first-load.mjs).
      manifest: true,
      // Inlined assets become data: addresses, which the content security policy allows for images only.
      assetsInlineLimit: 0,
      rolldownOptions: {
        // Functions that create schemas have no side effects: schemas used only by the server are left out.
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
            "tolerant",
            "endpoint",
          ],
        },
        output: {
          codeSplitting: {
            groups: GROUPS.map((group, index) => ({ ...group, priority: GROUPS.length - index })),
          },
        },
      },
    },
  };
});
