/** An answer of the fake upstream: a status, headers, and the body in the parts in which it is written. */
export interface Delivery {
  status: number;
  headers: Record<string, string>;
  /** Each part is written by itself; a stream's parts are its events. */
  parts: readonly (string | Uint8Array)[];
  /** Wait before the head is sent. */
  headDelayMs: number;
  /** Wait before each part. */
  partDelayMs: number;
  /** Write every byte by itself. */
  isSplit: boolean;
  /** The end after the parts: a proper end, a TCP reset, or silence until the client disconnects. */
  ending: "end" | "reset" | "stall";
  /** Reset the connection instead of sending even a head. */
  isRefused: boolean;
}

/** Data that a fault may use to change a delivery. */
export interface FaultContext {
  isStream: boolean;
  delayMs: number;
  /** Number of earlier requests with this fault, since it was scripted. */
  attempt: number;
  /** The HTTP status of every refusal, where the API uses one for refusals and successes alike. */
  errorStatus?: number | undefined;
  error(status: number, message: string): unknown;
  errorEvent(status: number, message: string): string | Uint8Array;
}

type Fault = (good: Delivery, context: FaultContext) => Delivery;

const json = (status: number, body: unknown, good: Delivery): Delivery => ({
  ...good,
  status,
  headers: { "content-type": "application/json" },
  parts: [JSON.stringify(body)],
});

const refuse =
  (status: number, message: string): Fault =>
  (good, { error, errorStatus }) =>
    json(errorStatus ?? status, error(status, message), good);

/** The first half of the parts; of a single part, the first half of its characters or bytes. */
const firstHalf = ({ parts }: Delivery): (string | Uint8Array)[] => {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return [only.slice(0, Math.floor(only.length / 2))];
  return parts.slice(0, Math.ceil(parts.length / 2));
};

/** The same answer, with a part repeated so that one event alone is larger than a megabyte. */
const HUGE_TEXT = "0123456789abcdef".repeat(65_536);

/** Everything that can go wrong, by name. Each takes the good delivery and spoils it. */
export const FAULTS = {
  /** A pause before every part. */
  slow: (good, { delayMs }) => ({ ...good, partDelayMs: delayMs }),
  /** The head itself is late. */
  "slow-first-byte": (good, { delayMs }) => ({ ...good, headDelayMs: delayMs }),
  /** A stream that is opened and closed. */
  "empty-stream": (good) => ({ ...good, headers: { "content-type": "text/event-stream" }, parts: [] }),
  /** 200 with nothing. */
  "empty-body": (good) => ({ ...good, headers: { "content-type": "application/json" }, parts: [] }),
  /** A stream of nothing but its own end mark. */
  "done-only-stream": (good, { isStream }) => ({ ...good, parts: isStream ? good.parts.slice(-1) : [] }),
  /** An error under a 200. */
  "error-in-200": (good, { error }) => json(200, error(500, "The fake upstream failed inside"), good),
  /** A stream whose first event is an error. */
  "error-in-stream": (good, { errorEvent }) => ({
    ...good,
    headers: { "content-type": "text/event-stream" },
    parts: [errorEvent(500, "The fake upstream failed at the start of the stream")],
  }),
  /** A stream that brings half of the answer, then an error. */
  "error-mid-stream": (good, { errorEvent }) => ({
    ...good,
    headers: { "content-type": "text/event-stream" },
    parts: [...firstHalf(good), errorEvent(500, "The fake upstream failed in the middle of the stream")],
  }),
  /** Half of the answer, then a TCP reset. */
  "reset-mid-stream": (good) => ({ ...good, parts: firstHalf(good), ending: "reset" }),
  /** A TCP reset instead of an answer. */
  "reset-before-answer": (good) => ({ ...good, isRefused: true }),
  /** Half of the answer, then silence. */
  "stall-mid-stream": (good) => ({ ...good, parts: firstHalf(good), ending: "stall" }),
  /** Half of the answer, then a clean end without the end mark. */
  "cut-mid-stream": (good) => ({ ...good, parts: firstHalf(good) }),
  /** Too many requests the first time, then a good answer. */
  "429-then-ok": (good, context) => {
    if (context.attempt > 0) return good;
    const refusal = refuse(429, "Rate limit reached for the fake upstream")(good, context);
    return { ...refusal, headers: { ...refusal.headers, "retry-after": "1" } };
  },
  "429": refuse(429, "Rate limit reached for the fake upstream"),
  "500": refuse(500, "The fake upstream failed inside"),
  "503": refuse(503, "The fake upstream is overloaded"),
  "400": refuse(400, "The fake upstream does not like this request"),
  "401": refuse(401, "Incorrect API key provided: fake-****. Find yours at https://example.com/keys"),
  /** A reverse proxy's answer when the upstream behind it is unreachable. */
  "html-502": (good) => ({
    ...good,
    status: 502,
    headers: { "content-type": "text/html" },
    parts: ["<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"],
  }),
  /** 200 with bytes that are no answer of any protocol. */
  garbage: (good, { isStream }) => ({
    ...good,
    parts: isStream ? ["data: {not json\n\n", "\u0000\u0001garbage\n\n"] : ["{not json \u0000\u0001"],
  }),
  /** A stream that ends without its end mark, everything else being there. */
  "stream-without-done": (good, { isStream }) => ({
    ...good,
    parts: isStream ? good.parts.slice(0, -1) : good.parts,
  }),
  /** Every byte is written by itself, so characters and events are cut anywhere. */
  "split-everywhere": (good) => ({ ...good, isSplit: true }),
  /** The right bytes under an unspecific content type. */
  "wrong-content-type": (good) => ({ ...good, headers: { "content-type": "text/plain; charset=utf-8" } }),
  /* The next ones change the answer itself and are read where it is made (see shapeAnswer). */
  "no-usage": (good) => good,
  "usage-in-every-chunk": (good) => good,
  "usage-with-last-choice": (good) => good,
  "huge-event": (good) => good,
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULTS, name);

/**
 * @throws Error that names the unknown fault and the known ones.
 */
export const parseFaultName = (name: string): FaultName => {
  if (isFaultName(name)) return name;
  throw new Error(`The fake upstream knows no fault "${name}"; it knows ${Object.keys(FAULTS).join(", ")}`);
};

/** Spoils a good delivery. */
export const applyFault = (name: FaultName, good: Delivery, context: FaultContext): Delivery => {
  const fault: Fault = FAULTS[name];
  return fault(good, context);
};

/** Applies a fault to the answer before it is encoded. */
export const shapeAnswer = (
  name: FaultName | undefined,
): { placement: "documented" | "with-last-choice" | "every-event" | "none"; hugeText?: string } => {
  switch (name) {
    case "no-usage":
      return { placement: "none" };
    case "usage-in-every-chunk":
      return { placement: "every-event" };
    case "usage-with-last-choice":
      return { placement: "with-last-choice" };
    case "huge-event":
      return { placement: "documented", hugeText: HUGE_TEXT };
    default:
      return { placement: "documented" };
  }
};
