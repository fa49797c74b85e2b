import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds test equipment: the programs that the bench runs as separate processes. Never shipped. */
export default defineConfig({
  root: file("."),
  logLevel: "warn",
  build: {
    ssr: true,
    target: "node20",
    outDir: file("../dist/equipment"),
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        bench: file("run-bench.ts"),
        "bench-logs": file("logs/bench-logs.ts"),
        "bare-relay": file("targets/bare-relay.ts"),
        "listen-on-loopback": file("targets/listen-on-loopback.ts"),
        "fast-upstream": file("load/fast-upstream.ts"),
        "holding-upstream": file("load/holding-upstream.ts"),
        "load-generator": file("load/load-generator.ts"),
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
