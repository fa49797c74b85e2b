import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { plain, readerOf } from "../resource/resource";

/*
 * How models were served, from real requests. Rates alone: neither how many requests there were, nor whose,
 * nor over which channels. Beyond the contract.
 */

/** A share from 0 to 1, to a thousandth. */
const share = z.number().check(z.minimum(0), z.maximum(1));

/** Fewer requests have no share: it would tell more about the callers than about the model. */
export const LEAST_STATUS_REQUESTS = 10;

/** In place of a share: requests came in, fewer than `LEAST_STATUS_REQUESTS`. */
const shareOrFew = z.union([share, z.literal("few")]);

const periodWireSchema = z.object({
  /** Share of the requests that were answered; absent where no request came in. */
  success: z.optional(shareOrFew),
  /** Milliseconds to the first byte of streams, on average; absent where there were too few. */
  first_byte_ms: z.optional(z.int()),
});

const modelStatusWireSchema = z.object({
  /** Unix seconds at which it was worked out. */
  updated_at: z.int(),
  models: z.array(
    z.object({
      model: z.string(),
      day: periodWireSchema,
      week: periodWireSchema,
      month: periodWireSchema,
      /** The share of each of the last 24 hours (UTC), the oldest first; null where no request came in. */
      hours: z.array(z.nullable(shareOrFew)),
      /** The same of the last 30 days. */
      days: z.array(z.nullable(shareOrFew)),
    }),
  ),
});
export type ModelStatusWire = z.infer<typeof modelStatusWireSchema>;
export type ModelStatus = ModelStatusWire["models"][number];
export type StatusShare = z.infer<typeof shareOrFew>;
export type StatusPeriod = z.infer<typeof periodWireSchema>;

const NOTHING: ModelStatusWire = { updated_at: 0, models: [] };

export const getModelStatus = endpoint({
  method: "GET",
  path: "/api/model-status",
  guard: "none",
  mayRefuseGuests: true,
  summary:
    "The success rate and first byte of each model that the reader may use, from real requests, without counts",
  data: plain(modelStatusWireSchema, readerOf(modelStatusWireSchema, NOTHING)),
  reads: "model-status",
});
