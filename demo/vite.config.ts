import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds the demo as a program of its own. Never shipped with the product. */
export default defineConfig({
  root: file("."),
  logLevel: "warn",
  build: {
    ssr: true,
    target: "node20",
    outDir: file("../dist/demo"),
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        "run-demo": file("run-demo.ts"),
        "run-nodes": file("run-nodes.ts"),
        "demo-clock": file("demo-clock.ts"),
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
