import type { TraceContext } from "./trace-context";

/** The samplers that OTEL_TRACES_SAMPLER may name (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). */
export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

export type Sampler = (traceId: string, parent: TraceContext | undefined) => boolean;

const PARENT_BASED = "parentbased_";

/**
 * @param ratio the part of all traces that is recorded, of samplers by ratio. All processes with the same ratio record the same
 * traces: the last seven bytes of a trace's id are chance (https://www.w3.org/TR/trace-context-2/#random-trace-id-flag).
 */
export const createSampler = (name: SamplerName, ratio: number): Sampler => {
  const root = name.replace(PARENT_BASED, "");
  const bound = ratio * 2 ** 52;
  const decide = (traceId: string): boolean => {
    if (root === "traceidratio") return Number.parseInt(traceId.slice(-13), 16) < bound;
    return root === "always_on";
  };
  if (!name.startsWith(PARENT_BASED)) return decide;
  return (traceId, parent) => parent?.isSampled ?? decide(traceId);
};
