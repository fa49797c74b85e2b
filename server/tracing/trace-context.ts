import { randomBytes } from "node:crypto";

/** A request's position in a trace (https://www.w3.org/TR/trace-context/#traceparent-header). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The caller's span: 16 hexadecimal digits. */
  readonly parentId: string;
  /** The caller records it. */
  readonly isSampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = "0".repeat(32);
const NO_SPAN = "0".repeat(16);

/** @returns undefined for an invalid context: then a new trace begins. */
export const readTraceparent = (header: string | readonly string[] | undefined): TraceContext | undefined => {
  if (typeof header !== "string") return undefined;
  const [, version, traceId = "", parentId = "", flags = "", more] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || version === "ff" || traceId === NO_TRACE || parentId === NO_SPAN)
    return undefined;
  // Later versions may add fields behind; this one has none.
  if (version === "00" && more !== undefined) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

export const writeTraceparent = (traceId: string, spanId: string, isSampled: boolean): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;

/** Eight random bytes are all 0 once in the age of the universe, and then one span is lost. */
export const createSpanId = (): string => randomBytes(8).toString("hex");

export const createTraceId = (): string => randomBytes(16).toString("hex");
