import { randomBytes } from "node:crypto";
import type { StoredBody } from "../stored-body";

/** More than any of the tests stores, in bytes. */
export const PLENTY = 1_000_000_000;

/** What user 1 said to a model, and what that answered. */
export const bodyOf = (requestId: string, more: Partial<StoredBody> = {}): StoredBody => ({
  requestId,
  userId: 1,
  createdAt: 1000,
  path: "/v1/rerank",
  request: { contentType: "application/json", sizeBytes: 15, bytes: Buffer.from('{"say":"hällo"}') },
  answer: {
    contentType: "text/event-stream",
    sizeBytes: 99,
    bytes: Buffer.from("data: 你好\n\n"),
    status: 200,
  },
  ...more,
});

/** A body that does not shrink. */
export const large = (requestId: string, createdAt: number, sizeBytes = 100_000): StoredBody =>
  bodyOf(requestId, {
    createdAt,
    request: { contentType: "application/json", sizeBytes, bytes: randomBytes(sizeBytes) },
  });
