import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/**
 * Bundles the gateway's and the command's own code; packages stay in node_modules, but for two of hundreds of small files each: in every
 * thread that loads them, what nobody uses of them and a module for each file would take more memory than the rest.
 */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  logLevel: "warn",
  ssr: { noExternal: ["kysely", "zod"] },
  build: {
    ssr: true,
    target: "node20",
    outDir: fileURLToPath(new URL("../dist/server", import.meta.url)),
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      input: {
        main: fileURLToPath(new URL("../server/main.ts", import.meta.url)),
        tollgate: fileURLToPath(new URL("main.ts", import.meta.url)),
        seed: fileURLToPath(new URL("../server/seed.ts", import.meta.url)),
        "bookings-worker": fileURLToPath(new URL("../storage/threads/bookings-worker.ts", import.meta.url)),
        "postgres-log-worker": fileURLToPath(
          new URL("../storage/threads/postgres-log-worker.ts", import.meta.url),
        ),
        "storage-worker": fileURLToPath(new URL("../storage/threads/worker.ts", import.meta.url)),
        "token-counter-worker": fileURLToPath(
          new URL("../server/state/token-counter-worker.ts", import.meta.url),
        ),
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
