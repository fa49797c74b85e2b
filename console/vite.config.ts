import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const gateway = process.env.TOLLGATE_URL ?? "http://127.0.0.1:3000";

/** What every page needs, in one file: many small requests cost more than they save. */
const SHELL =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack|i18next|react-i18next|html-parse-stringify|zod|clsx|class-variance-authority)\//;

/** What every page needs of larger packages and of ourselves; not what they load only when it is wanted. */
const SHELL_FILES =
  /@base-ui\/react\/(csp-provider|internals\/csp-context)\/|\/contract\/|\/console\/app\/(?!user-menu)|\/console\/lib\/(?!sanitise|use-field-error|json-mistake)|\/console\/components\/(button|text-field|field|toaster|rich-text|page-loading|empty-state)\.tsx|lucide-react\/dist\/esm\/(createLucideIcon|Icon|context|defaultAttributes|shared)/;

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
      // Inlined assets become data: addresses, which the content security policy allows for images only.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: "shell", test: SHELL, priority: 3 },
              { name: "shell", test: SHELL_FILES, priority: 3 },
            ],
          },
        },
      },
    },
  };
});
