import { isUtf8 } from "node:buffer";
import type { NameRules } from "@tollgate/protocols/shared/json/json-names";
import { parseInSteps } from "@tollgate/protocols/shared/json/parse-in-steps";
import { JSON_BOUNDS, type JsonFault, scanJson } from "@tollgate/protocols/shared/json/scan-json";
import { writeArguments } from "@tollgate/protocols/shared/json/stringify-in-steps";
import { decodeUtf8 } from "@tollgate/relay/decode-utf8";
import type { Refusal } from "@tollgate/relay/ports/client";

export class BodyRefused extends Error {
  override readonly name = "BodyRefused";
  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }
}

const refusalOf = (fault: JsonFault): Refusal => {
  switch (fault.kind) {
    case "too-deep":
      return { code: "body-too-deep", params: { limit: String(fault.max) } };
    case "too-much":
      return { code: "body-holds-too-much", params: { what: fault.what, limit: String(fault.max) } };
    case "name-twice":
      return {
        code: "body-name-twice",
        params: { name: fault.name, other: fault.other },
        field: fault.name,
      };
    case "name-misspelled":
      return {
        code: "body-name-misspelled",
        params: { name: fault.name, other: fault.known },
        field: fault.name,
      };
    case "name-broken":
      return { code: "body-name-broken", params: { name: fault.name } };
  }
};

/** Minimum size of a body that is read in steps: at worst it takes half of the time that may block the thread. */
export const LARGE_BODY_BYTES = 2 * 1024 * 1024;
/** The same for recordings, whose packets may be single bytes. */
export const LARGE_RECORDING_BYTES = 128 * 1024;

const requireUtf8 = (rawBody: Buffer): void => {
  // Decoders treat other bytes differently: some replace them, some omit them.
  if (!isUtf8(rawBody)) throw new BodyRefused({ code: "body-not-utf8" });
};

/**
 * Parses a request's body, after a scan of its bytes: a body whose cost would exceed what its size suggests, or that
 * two parsers could read differently, is refused first.
 * @throws BodyRefused for those. @throws SyntaxError for invalid JSON.
 */
export const readJson = (rawBody: Buffer, rules: NameRules): unknown => {
  requireUtf8(rawBody);
  const fault = scanJson(rawBody, JSON_BOUNDS, rules);
  if (fault) throw new BodyRefused(refusalOf(fault));
  return JSON.parse(decodeUtf8(rawBody)) as unknown;
};

/**
 * The same of a large body.
 * @see readJson
 */
export function* readJsonInSteps(rawBody: Buffer, rules: NameRules): Generator<undefined, unknown> {
  requireUtf8(rawBody);
  const parsed = yield* parseInSteps(rawBody, JSON_BOUNDS, rules);
  if ("fault" in parsed) throw new BodyRefused(refusalOf(parsed.fault));
  yield* writeArguments(parsed.value);
  return parsed.value;
}
