import * as z from "zod/mini";
import { toInnerNames } from "../resource/fields";
import { type LimitsOf, limitOf, setLimitsOf } from "../resource/limits";
import { tryParseJson } from "../values/parse-json";

/** The longest time limit: an hour. */
export const MAX_TIME_LIMIT_SECONDS = 3600;

const seconds = <const Name extends string>(name: Name) =>
  limitOf(name, { since: "0024-time-limits", max: MAX_TIME_LIMIT_SECONDS });

/**
 * Seconds that an upstream may take, with their names on the wire and in the option GroupTimeLimits. An unset one leaves the
 * process-wide time-outs.
 */
export const TIME_LIMITS = {
  /** Of a stream: until the response headers. */
  headersSeconds: seconds("headers_seconds"),
  /** Of a stream: until the first content for the client. */
  firstTokenSeconds: seconds("first_token_seconds"),
  /** Of a stream: between two pieces of content. */
  tokenGapSeconds: seconds("token_gap_seconds"),
  /** Of a request that thinks: each of these waits, in place of the three. */
  thinkingSeconds: seconds("thinking_seconds"),
  /** Of an answer that is no stream: until it is complete. */
  wholeAnswerSeconds: seconds("whole_answer_seconds"),
};

/** Undefined where the process-wide time-out applies. */
export interface TimeLimits extends LimitsOf<typeof TIME_LIMITS> {}

/** Made when an option is read: pages that only show limits do not need it. */
const groupSchema = () =>
  z.strictObject(
    Object.fromEntries(
      Object.values(TIME_LIMITS).map(({ name }) => [
        name,
        z.optional(z.int().check(z.positive(), z.lte(MAX_TIME_LIMIT_SECONDS))),
      ]),
    ),
  );

/**
 * Reads the option GroupTimeLimits: JSON of the group's name → the limits for channels that have none of their own.
 * @returns where the text is wrong when it cannot be used.
 */
export const parseGroupTimeLimits = (text: string): ReadonlyMap<string, TimeLimits> | { fault: string } => {
  const table = z.record(z.string(), z.unknown()).safeParse(tryParseJson(text));
  if (!table.success) return { fault: "JSON" };
  const schema = groupSchema();
  const groups = new Map<string, TimeLimits>();
  for (const [name, value] of Object.entries(table.data)) {
    const group = schema.safeParse(value);
    if (!group.success) {
      const [issue] = group.error.issues;
      const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
      return { fault: [name, ...(issue?.path ?? []), ...unknown].join(".") };
    }
    groups.set(name, setLimitsOf(TIME_LIMITS, toInnerNames(TIME_LIMITS, group.data)));
  }
  return groups;
};
