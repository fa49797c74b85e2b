/*
 * Spans as OTLP/JSON has them (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids in hexadecimal digits, whole
 * numbers of 64 bits as texts, enumerations as numbers.
 */

/** Value of an attribute; undefined omits it. */
export type AttributeValue = string | number | boolean | undefined;

export const KIND_SERVER = 2;
export const KIND_CLIENT = 3;

/** A span that is over. Times are milliseconds since the epoch. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: typeof KIND_SERVER | typeof KIND_CLIENT;
  readonly startMs: number;
  readonly endMs: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** The longest text of an attribute. */
const MAX_CHARACTERS = 256;

/** Half of a surrogate pair has no bytes in UTF-8. */
const textOf = (text: string): string => Buffer.from(text.slice(0, MAX_CHARACTERS)).toString();

const anyValue = (value: string | number | boolean): object => {
  if (typeof value === "string") return { stringValue: textOf(value) };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};

export const writeAttributes = (attributes: Readonly<Record<string, AttributeValue>>): object[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );

const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n);

const STATUS_ERROR = 2;

/** @returns JSON. */
export const writeSpan = (span: Span): string =>
  JSON.stringify({
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
    name: textOf(span.name),
    kind: span.kind,
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(Math.max(span.startMs, span.endMs)),
    attributes: writeAttributes(span.attributes),
    status: span.isError ? { code: STATUS_ERROR } : {},
  });
