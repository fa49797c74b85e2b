import { JsonCondenser } from "../json/json-condenser";
import { parseJson } from "../json/safe-json";
import { isTooDeep } from "../json/scan-json";

/**
 * Whether a text is the beginning of an unfinished object: checked without a parser, whose exception takes as long as
 * some hundred small events.
 */
const isCutOff = (data: string): boolean => data.startsWith("{") && !data.trimEnd().endsWith("}");

/**
 * Parses the data of an event that passes unchanged, for metering. Deeply nested values become null, so that they
 * cannot hide usage.
 * @returns undefined when it is not JSON.
 */
export const parseEvent = (data: string): unknown => {
  if (isCutOff(data)) return undefined;
  const parsed = parseJson(data);
  if (parsed !== undefined || !isTooDeep(data)) return parsed;
  const condenser = new JsonCondenser();
  condenser.push(Buffer.from(data));
  const small = condenser.end();
  return small === undefined ? undefined : parseJson(small);
};
