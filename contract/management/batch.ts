import * as z from "zod/mini";
import { plain, readerOf } from "../resource/resource";
import { idNumber, maybe } from "./wire";

/* Changes of many records at once: each record is changed, or refused with a reason, as by a call about it alone. */

/** The maximum number of records of one call. */
export const MAX_AT_ONCE = 1000;

/** The records of a change. */
export const batchIds = z.array(idNumber).check(z.maxLength(MAX_AT_ONCE));

/**
 * Identifier that a client makes for a change that moves money, and sends again with a repeated call: each record's
 * movement is booked once.
 */
export const operationId = maybe(z.string().check(z.regex(/^[\w-]{16,64}$/)));

/** The maximum length of the reason for a change. */
export const MAX_BATCH_REASON = 200;

const batchDoneSchema = z.object({
  /** How many were changed. */
  done: z.int(),
  /** All others, with the reason. */
  failed: z.array(z.object({ id: z.int(), name: z.string(), reason: z.string() })),
});
export type BatchDone = z.output<typeof batchDoneSchema>;
export type BatchFailure = BatchDone["failed"][number];

export const batchDone = plain(batchDoneSchema, readerOf(batchDoneSchema, { done: 0, failed: [] }));
