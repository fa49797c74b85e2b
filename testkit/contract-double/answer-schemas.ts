import { token } from "@tollgate/contract/api/api-keys";
import { channel } from "@tollgate/contract/api/channels";
import { log, logTotal } from "@tollgate/contract/api/logs";
import { nodeSchema } from "@tollgate/contract/api/nodes";
import { option } from "@tollgate/contract/api/options";
import { receipt } from "@tollgate/contract/api/receipts";
import { redemption } from "@tollgate/contract/api/redemptions";
import { status } from "@tollgate/contract/api/status";
import { usagePoint } from "@tollgate/contract/api/usage";
import { user } from "@tollgate/contract/api/user";
import * as z from "zod/mini";

/*
 * Answers of a server of one-api's contract: the contract's own schemas, without the fields that only our server has,
 * and strict: an unknown field is an error.
 */

const exactly = <Shape extends z.core.$ZodShape>({ shape }: z.ZodMiniObject<Shape>) => z.strictObject(shape);

export const statusAnswer = exactly(status.schema);
export const optionAnswer = exactly(option.schema);
export const userAnswer = exactly(user.schema);
export const tokenAnswer = exactly(token.schema);
export const redemptionAnswer = exactly(redemption.schema);
export const logStatAnswer = exactly(logTotal.schema);
export const usagePointAnswer = exactly(usagePoint.schema);
export const nodeAnswer = exactly(nodeSchema);
export const receiptAnswer = exactly(receipt.schema);

export const channelAnswer = exactly(
  z.omit(channel.schema, {
    key_count: true,
    dead_key_count: true,
    proxy: true,
    tag: true,
    test_model: true,
    skip_tests: true,
    calendar: true,
    closed_until: true,
    used_requests: true,
    typed_balance: true,
  }),
);

/** `request_id` exists where the server has receipts. */
export const logAnswer = exactly(
  z.omit(log.schema, {
    is_stream: true,
    duration_ms: true,
    first_byte_ms: true,
    cached_tokens: true,
    channel_name: true,
    status: true,
    code: true,
    times: true,
    token_id: true,
  }),
);
