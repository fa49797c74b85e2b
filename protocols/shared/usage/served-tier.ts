import type { Usage } from "@tollgate/contract/relay/usage";

/** Adds the served tier that an answer of OpenAI's shape reports, at its top level or in its last event. */
export const withServedTier = (usage: Usage, value: unknown): Usage =>
  typeof value === "string" ? { ...usage, servedTiers: { service_tier: value } } : usage;
