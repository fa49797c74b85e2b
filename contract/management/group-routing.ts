import * as z from "zod/mini";

/** By what a group's requests choose among channels of the same priority that work and have room. */
export const ROUTING_STRATEGIES = ["weight", "cheapest", "fastest"] as const;
export type RoutingStrategy = (typeof ROUTING_STRATEGIES)[number];

/**
 * Reads the option GroupRouting: JSON of the group's name → its strategy. A group that is not named goes by weight.
 * @returns where the text is wrong when it cannot be used.
 */
export const parseGroupRouting = (text: string): ReadonlyMap<string, RoutingStrategy> | { fault: string } => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { fault: "JSON" };
  }
  const table = z.record(z.string(), z.enum(ROUTING_STRATEGIES)).safeParse(parsed);
  if (table.success) return new Map(Object.entries(table.data));
  return { fault: table.error.issues[0]?.path.join(".") || "JSON" };
};

/** GET /api/channel/choice/{id}: by what a channel is chosen for one of its models; what is not known is absent. */
export const channelChoiceSchema = z.object({
  model: z.string(),
  /** Milliseconds to the first byte, measured by the answering node in the last minutes, over the channel's keys. */
  stream_ms: z.optional(z.int()),
  whole_ms: z.optional(z.int()),
  /** What 3,000 tokens that are read and 1,000 that are written are bought at; thousandths of quota. */
  usual_cost: z.optional(z.int()),
});
export type ChannelChoice = z.infer<typeof channelChoiceSchema>;
