import type { WriteJson } from "@tollgate/contract/relay/stream";

/** Writes one event of a Messages stream. */
export type EncodeEvent = (type: string, fields: Record<string, unknown>) => string;

/** Encodes events: the name of each is repeated in its data. */
export const createEncodeEvent =
  (write: WriteJson): EncodeEvent =>
  (type, fields) =>
    `event: ${type}\ndata: ${write({ type, ...fields })}\n\n`;
