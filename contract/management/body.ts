import * as z from "zod/mini";
import { looseBoolean, looseNumber, looseString } from "./wire";

/*
 * What one request and its answer said, where the site keeps it: GET /api/log/self/body?request_id= for its owner,
 * GET /api/log/body?request_id= for root. Not part of the one-api contract.
 */

const messageWireSchema = z.object({
  /** Without parameters; "" when none was named. */
  content_type: z.string(),
  /** All of it, also what was not kept. */
  size_bytes: z.int(),
  /** Absent for what is no text: of that only the type and the size are kept. */
  text: z.optional(z.string()),
  /** Whether only the beginning was kept. */
  is_cut: z.boolean(),
});

export const bodyWireSchema = z.object({
  request_id: z.string(),
  /** When the answer ended. */
  created_at: z.int(),
  request: messageWireSchema,
  answer: z.extend(messageWireSchema, {
    /** HTTP status that the client got, 0 when the connection ended before. */
    status: z.int(),
  }),
});
export type BodyWire = z.infer<typeof bodyWireSchema>;
export type BodyMessageWire = z.infer<typeof messageWireSchema>;

const messageReader = z.object({
  content_type: looseString,
  size_bytes: looseNumber,
  text: z.catch(z.optional(z.string()), undefined),
  is_cut: looseBoolean,
});

/** Reads bodies from a server's answer. */
export const bodyReader = z.object({
  request_id: looseString,
  created_at: looseNumber,
  request: messageReader,
  answer: z.extend(messageReader, { status: looseNumber }),
});
