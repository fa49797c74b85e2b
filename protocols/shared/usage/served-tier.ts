import type { Usage } from "@tollgate/contract/relay/usage";

/** Adds the tier that an answer of OpenAI's shape tells to have served, at the top of it or of its last event. */
export const withServedTier = (usage: Usage, value: unknown): Usage =>
  typeof value === "string" ? { ...usage, servedTiers: { service_tier: value } } : usage;
