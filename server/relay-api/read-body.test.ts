import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { keptMemory } from "@tollgate/testkit/kept-memory";
import { describe, expect, it } from "vitest";
import { readBody } from "./read-body";

const MEGABYTE = 1024 * 1024;

describe("readBody", () => {
  it("keeps a few bytes for each byte that arrives, however small the pieces are (S18)", async () => {
    const upload = new Readable({ read() {} });
    const request = Object.assign(upload, { headers: {} }) as unknown as IncomingMessage;
    const done = new Promise((resolve) => readBody(request, MEGABYTE, () => undefined, resolve));
    const before = keptMemory();
    for (let sent = 0; sent < MEGABYTE / 4; sent += 1) {
      upload.push(Buffer.from("x"));
      if (sent % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(keptMemory() - before).toBeLessThan(4 * MEGABYTE);
    upload.push(null);
    expect(await done).toHaveLength(MEGABYTE / 4);
  });
});
