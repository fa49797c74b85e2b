import { getOwnReceipt, getReceipt } from "@tollgate/contract/api/receipts";
import { listOwnUsage, listUsage, USAGE_GROUPINGS } from "@tollgate/contract/api/usage";
import * as z from "zod/mini";
import { receiptAnswer, usagePointAnswer } from "../answer-schemas";
import { answers, type Calls, done, type Reply, refuse } from "../call";
import type { RequestRecord } from "../request-records";
import { admits } from "../select-rows";
import type { StoredUser } from "../stored-rows";
import { foldUsage, sumUsage } from "../sum-usage";
import type { World } from "../world";

const isWithin = ({ created_at }: RequestRecord, query: URLSearchParams): boolean =>
  created_at >= Number(query.get("start_timestamp")) && created_at <= Number(query.get("end_timestamp"));

const sumOf = (world: World, query: URLSearchParams, owner?: StoredUser) => {
  const by = USAGE_GROUPINGS.find((each) => each === query.get("by")) ?? "none";
  if (owner && (by === "channel" || by === "user"))
    return refuse("无权进行此操作，权限不足", "not permitted");
  const records = world.requests.filter(
    (record) =>
      isWithin(record, query) &&
      admits(query, "token_name", record.token_name) &&
      admits(query, "model_name", record.model_name) &&
      (owner
        ? record.user_id === owner.id
        : admits(query, "username", record.username) && admits(query, "channel", record.channel)),
  );
  const step = query.get("step") === "hour" ? "hour" : "day";
  const points = sumUsage(records, world, by, step, Number(query.get("offset_minutes")));
  const top = Number(query.get("top") ?? 0);
  return done(top > 0 ? foldUsage(points, top) : points);
};

const findReceipt = (
  world: World,
  query: URLSearchParams,
  owner?: StoredUser,
): Reply<z.infer<typeof receiptAnswer>> => {
  const found = world.requests.find(({ request_id }) => request_id === query.get("request_id"));
  if (!found || (owner && found.user_id !== owner.id)) return refuse("没有这份回执", "no such receipt");
  const { user_id: _user, token_id: _token, channel: _channel, ...receipt } = found;
  if (!owner) return done(receipt);
  const attempts = receipt.attempts.map((attempt) => ({ ...attempt, channel: 0, channel_name: "" }));
  return done({ ...receipt, attempts });
};

/** Sums over usage and receipts, which one-api does not have. */
export const usageCalls: Calls = {
  ...answers(listUsage, {
    isUsage: true,
    data: z.array(usagePointAnswer),
    answer: ({ world, query }) => sumOf(world, query),
  }),
  ...answers(listOwnUsage, {
    isUsage: true,
    data: z.array(usagePointAnswer),
    answer: ({ world, query, caller }) => sumOf(world, query, caller),
  }),
  ...answers(getReceipt, {
    isUsage: true,
    data: receiptAnswer,
    answer: ({ world, query }) => findReceipt(world, query),
  }),
  ...answers(getOwnReceipt, {
    isUsage: true,
    data: receiptAnswer,
    answer: ({ world, query, caller }) => findReceipt(world, query, caller),
  }),
};
