import * as z from "zod/mini";
import { endpoint, REQUEST_ID_PARAMETER } from "../resource/endpoint";
import { count, optional } from "../resource/resource";
import { tolerant } from "../resource/tolerant";

/* The content of one request and its answer, if the site keeps it. Not part of the one-api contract. */

const messageWireSchema = z.object({
  /** Without parameters; "" when none was named. */
  content_type: z.string(),
  /** Size of the whole body, including the part that was not kept. */
  size_bytes: z.int(),
  /** Absent for a body that is no text: only its type and size are kept. */
  text: z.optional(z.string()),
  /** Whether only the beginning was kept. */
  is_cut: z.boolean(),
});

const bodySchema = z.object({
  request_id: z.string(),
  /** When the answer ended. */
  created_at: z.int(),
  /** The address, without a key; absent where the server did not keep it. */
  path: z.optional(z.string()),
  request: messageWireSchema,
  answer: z.extend(messageWireSchema, {
    /** HTTP status that the client got, 0 when the connection ended before. */
    status: z.int(),
  }),
});
export type BodyWire = z.infer<typeof bodySchema>;
export type BodyMessageWire = z.infer<typeof messageWireSchema>;

/** The content of a request and its answer, as answers have it. */
const body = tolerant(bodySchema);

export const getBody = endpoint({
  method: "GET",
  path: "/api/log/body",
  guard: "root",
  summary:
    "The stored bodies of the request of request_id and of its answer; the audit log records who read another user's",
  query: REQUEST_ID_PARAMETER,
  changesState: true,
  data: body,
  reads: "receipts",
});

export const getOwnBody = endpoint({
  method: "GET",
  path: "/api/log/self/body",
  guard: "user",
  summary: "The stored bodies of one's own request of request_id and of its answer",
  query: REQUEST_ID_PARAMETER,
  data: body,
  reads: "receipts",
});

export const clearBodies = endpoint({
  method: "DELETE",
  path: "/api/log/body",
  guard: "root",
  summary: "Deletes all stored bodies; returns the number of their requests",
  data: optional(count),
  changes: ["receipts"],
});
