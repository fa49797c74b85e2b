// @ts-check

/** What the mutants of the console are run against: its unit and component tests, all in one thread with a document. */
export default {
  test: {
    include: ["console/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
    css: { include: [/[?]raw$/] },
    isolate: false,
    fileParallelism: false,
    setupFiles: [
      "console/testing/before-loading.ts",
      "console/testing/load-console.ts",
      "console/testing/after-loading.ts",
    ],
    sequence: { setupFiles: "list" },
    // For what a mutant breaks, tests wait in vain: seconds are enough, also on a machine that does other work.
    env: { TEST_PATIENCE_MS: "4000" },
  },
};
