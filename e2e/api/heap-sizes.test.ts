import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createDataDir, startServer } from "@tollgate/testkit/server-process";
import { expect, it } from "vitest";

/* However it is started: what V8 may use for new objects is set by the program, not on the command line (docs/performance.md). */

const MB = 1024 * 1024;
/** A space's pages are a little larger than what they hold. */
const TOLERANCE = 1.1;

interface HeapSize {
  threadId: number;
  /** The most that the space for new objects grew to, in bytes: one of its halves. */
  most: number;
}

const readSizes = (file: string): HeapSize[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as HeapSize)
    : [];

// The look at the space comes after a collection; on a very busy machine it can come late, and the space has grown once more.
it("lets new objects take 8 MB on the relay's thread and 2 MB on each storage thread, and no more (P4)", {
  retry: 1,
}, async () => {
  const file = join(createDataDir(), "heap-sizes");
  const preload = new URL("heap-sizes.preload.mjs", import.meta.url).href;
  const server = await startServer({ env: { NODE_OPTIONS: `--import=${preload}`, HEAP_SIZES: file } });
  try {
    await expect.poll(() => readSizes(file).length).toBe(3);
  } finally {
    await server.stop();
  }
  const sizes = readSizes(file);
  const relay = sizes.find(({ threadId }) => threadId === 0)?.most;
  expect(relay).toBeGreaterThan(4 * MB);
  expect(relay).toBeLessThan(8 * MB * TOLERANCE);
  for (const { threadId, most } of sizes) if (threadId !== 0) expect(most).toBeLessThan(2 * MB * TOLERANCE);
});
