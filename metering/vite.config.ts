import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds the simulation of leases, so that it runs at full speed (`npm run simulate`). Never shipped. */
export default defineConfig({
  root: file("."),
  logLevel: "warn",
  build: {
    ssr: true,
    target: "node20",
    outDir: file("../dist/simulation"),
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        simulate: file("leases/testing/simulate.ts"),
        mutations: file("leases/testing/mutations.ts"),
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
