import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/** The font of printed statements lies beside the bundles: `statementFont` in server/built-files.ts. */
const copyFont: Plugin = {
  name: "copy-font",
  generateBundle() {
    const source = createRequire(new URL("../server/package.json", import.meta.url)).resolve(
      "@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff",
    );
    this.emitFile({ type: "asset", fileName: "noto-sans-sc.woff", source: readFileSync(source) });
  },
};

/**
 * Bundles the product with its packages, except those with binaries: an installation then has the tested versions, and
 * a tenth of the files. In every thread that loads them, their unused parts and a module for each file would also take
 * more memory than the rest.
 */
export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL(".", import.meta.url)),
  logLevel: "warn",
  plugins: [copyFont],
  // `npm run dev` bundles the product alone: packages do not change while it is written.
  ssr: {
    noExternal: mode === "development" ? [] : true,
    external: ["libsql", "@node-rs/argon2", "@node-rs/bcrypt"],
  },
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
        "rehearsal-worker": fileURLToPath(
          new URL("../server/rehearsal/rehearsal-worker.ts", import.meta.url),
        ),
        "statement-worker": fileURLToPath(
          new URL("../server/statements/statement-worker.ts", import.meta.url),
        ),
        "storage-worker": fileURLToPath(new URL("../storage/threads/worker.ts", import.meta.url)),
        "token-counter-worker": fileURLToPath(
          new URL("../server/state/token-counter-worker.ts", import.meta.url),
        ),
      },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name]-[hash].js",
        // Every thread holds the text of its modules: comments are in the sources, and in the source maps.
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
}));
