// @ts-check

/** What the mutants of the console are run against: its unit and component tests, without a browser. */
export default {
  test: {
    include: ["console/**/*.test.{ts,tsx}"],
    environment: "node",
    css: { include: [/[?]raw$/] },
  },
};
