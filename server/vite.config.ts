import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Bundles the gateway's own code; packages stay in node_modules. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  logLevel: "warn",
  build: {
    ssr: true,
    target: "node20",
    outDir: fileURLToPath(new URL("../dist/server", import.meta.url)),
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      input: {
        main: fileURLToPath(new URL("main.ts", import.meta.url)),
        doctor: fileURLToPath(new URL("doctor.ts", import.meta.url)),
        backup: fileURLToPath(new URL("backup/backup-command.ts", import.meta.url)),
        seed: fileURLToPath(new URL("seed.ts", import.meta.url)),
        "storage-worker": fileURLToPath(new URL("../storage/worker.ts", import.meta.url)),
        "token-counter-worker": fileURLToPath(new URL("state/token-counter-worker.ts", import.meta.url)),
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
