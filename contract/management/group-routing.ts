import * as z from "zod/mini";
import { tryParseJson } from "../values/parse-json";

/** Strategies by which a group's requests choose among working channels of the same priority with free capacity. */
export const ROUTING_STRATEGIES = ["weight", "cheapest", "fastest"] as const;
export type RoutingStrategy = (typeof ROUTING_STRATEGIES)[number];

/**
 * Reads the option GroupRouting: JSON of the group's name → its strategy. A group that is not named goes by weight.
 * @returns where the text is wrong when it cannot be used.
 */
export const parseGroupRouting = (text: string): ReadonlyMap<string, RoutingStrategy> | { fault: string } => {
  const parsed = tryParseJson(text);
  if (parsed === undefined) return { fault: "JSON" };
  const table = z.record(z.string(), z.enum(ROUTING_STRATEGIES)).safeParse(parsed);
  if (table.success) return new Map(Object.entries(table.data));
  return { fault: table.error.issues[0]?.path.join(".") || "JSON" };
};

/** GET /api/channel/choice/{id}: facts by which a channel is chosen for one of its models; unknown ones are absent. */
export const channelChoiceSchema = z.object({
  model: z.string(),
  /** Milliseconds to the first byte, measured by the answering node in the last minutes, over the channel's keys. */
  stream_ms: z.optional(z.int()),
  whole_ms: z.optional(z.int()),
  /** Buying price of 3,000 input and 1,000 output tokens; thousandths of quota. */
  usual_cost: z.optional(z.int()),
});
export type ChannelChoice = z.infer<typeof channelChoiceSchema>;
