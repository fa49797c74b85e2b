import { describe, expect, it } from "vitest";
import { createSampler, type SamplerName } from "./sampler";
import { createSpanId, createTraceId, readTraceparent, writeTraceparent } from "./trace-context";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

describe("traceparent", () => {
  it("is read, of this version and of later ones, and written", () => {
    const sampled = { traceId: TRACE, parentId: SPAN, isSampled: true };
    expect(readTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual(sampled);
    expect(readTraceparent(`00-${TRACE}-${SPAN}-00`)).toEqual({ ...sampled, isSampled: false });
    expect(readTraceparent(`01-${TRACE}-${SPAN}-03-more`)).toEqual(sampled);
    expect(writeTraceparent(TRACE, SPAN, true)).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(readTraceparent(writeTraceparent(createTraceId(), createSpanId(), false))?.isSampled).toBe(false);
  });

  it.each([
    undefined,
    "",
    "x",
    [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}${SPAN}-01`,
    `00-${TRACE}-${SPAN}-0g`,
    `${"0".repeat(100_000)}`,
  ])("is none where it is %j: a trace of its own begins", (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});

describe("samplers", () => {
  const decide = (name: SamplerName, ratio: number, isSampled?: boolean, traceId = TRACE): boolean =>
    createSampler(name, ratio)(
      traceId,
      isSampled === undefined ? undefined : { traceId, parentId: SPAN, isSampled },
    );

  it("follow the caller where they are based on it, else their own rule", () => {
    expect(decide("parentbased_always_on", 1, false)).toBe(false);
    expect(decide("parentbased_always_off", 1, true)).toBe(true);
    expect(decide("parentbased_always_on", 1)).toBe(true);
    expect(decide("parentbased_always_off", 1)).toBe(false);
    expect(decide("always_on", 1, false)).toBe(true);
    expect(decide("always_off", 1, true)).toBe(false);
    expect(decide("parentbased_traceidratio", 0, true)).toBe(true);
  });

  it("take the part of all traces that is asked for", () => {
    expect(decide("traceidratio", 1, undefined, "f".repeat(32))).toBe(true);
    expect(decide("traceidratio", 0, undefined, "0".repeat(32))).toBe(false);
    const taken = Array.from({ length: 4000 }, () =>
      decide("traceidratio", 0.25, undefined, createTraceId()),
    );
    const part = taken.filter(Boolean).length / taken.length;
    expect(part).toBeGreaterThan(0.2);
    expect(part).toBeLessThan(0.3);
  });
});
