import { defineConfig } from "vitest/config";

const ROOMS = [
  "contract",
  "protocols",
  "vendors",
  "metering",
  "relay",
  "storage",
  "server",
  "console",
  "tools",
  "testkit",
  "bench",
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ROOMS.map((room) => `${room}/**/*.test.{ts,tsx}`),
          // Console tests that need a document say so in their first line (@vitest-environment happy-dom).
          environment: "node",
          // Styles are left out, except where a test reads them as text.
          css: { include: [/[?]raw$/] },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          environment: "node",
          globalSetup: ["e2e/build-before-tests.ts"],
          // Each file starts real processes and waits for them: two at a time use two cores better than one.
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // What is waited for may need a thread that starts first, on a machine that is busy.
          expect: { poll: { timeout: 10_000 } },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "clients",
          include: ["e2e/clients/**/*.clients.ts"],
          environment: "node",
          globalSetup: ["e2e/build-before-tests.ts"],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
