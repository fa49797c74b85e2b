import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { NativeProtocolName, UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { NO_USAGE, readCounter, type Usage } from "@tollgate/contract/relay/usage";
import { classifyError, type ErrorRule } from "../errors/classify-error";
import { readErrorDetails } from "../errors/error-details";
import { type ResponseHeaders, readRetryAfterSeconds } from "../errors/retry-after";
import { isRecord, type JsonRecord } from "../json/json-values";
import { isTooMany } from "../stream/bounded-parts";
import { createFrameReader, type ReadFrame } from "../stream/frame-reader";
import { refuseRequiredSearch } from "../tools/web-search";

/** The parts that a vendor's own protocol must define. The meaning of its error codes is part of the vendor's data. */
export type NativeParts = Pick<
  UpstreamProtocol,
  "name" | "carries" | "buildRequest" | "outputLimit" | "createDecoder" | "needsImageData"
> & {
  name: NativeProtocolName;
  /** Whether the body of a success is an error. `event` is "" for a whole body. */
  isError(body: JsonRecord, event: string): boolean;
  /** The object with the code and the message of an error, if it is not the body itself. */
  unwrapError?(body: JsonRecord): unknown;
  /** An error code from the headers; "" for none. */
  readErrorCode?(headers: ResponseHeaders): string;
  /** Meanings of error phrases, for errors whose code is not enough; none by default. */
  errorRules?: readonly ErrorRule[];
  /** @returns undefined when the body is neither an error nor an answer. */
  readAnswer(body: JsonRecord): ChatResponse | undefined;
  readFrame: ReadFrame;
  /** Parses an event's data, if it is not JSON. */
  parseData?(data: string, event: string): unknown;
};

/** A protocol without clients: everything is translated. */
export const createNativeProtocol = (parts: NativeParts): UpstreamProtocol => {
  const { isError, readFrame } = parts;
  const readError = (status: number, headers: ResponseHeaders, body: unknown): UpstreamError => {
    const unwrapped = isRecord(body) && parts.unwrapError ? parts.unwrapError(body) : body;
    const said = readErrorDetails(unwrapped);
    const details = { ...said, code: parts.readErrorCode?.(headers) || said.code || said.type };
    return {
      ...classifyError(parts.errorRules ?? [], status, details),
      status,
      message: details.message,
      fault: details.fault,
      code: details.code,
      retryAfterSeconds: readRetryAfterSeconds(headers),
    };
  };
  const readResponse = (body: unknown): ChatResponse | undefined =>
    isRecord(body) && !isError(body, "") ? parts.readAnswer(body) : undefined;
  return {
    name: parts.name,
    carries: parts.carries,
    buildRequest(request, target) {
      refuseRequiredSearch(request);
      return parts.buildRequest(request, target);
    },
    outputLimit: parts.outputLimit,
    ...(parts.needsImageData ? { needsImageData: true } : {}),
    ...(parts.createDecoder ? { createDecoder: parts.createDecoder } : {}),
    readResponse,
    createStreamReader: () =>
      createFrameReader((frame, sink, event) => {
        if (isError(frame, event)) sink.fail(readError(200, {}, frame));
        else readFrame(frame, sink, event);
      }, parts.parseData),
    isAnswer: (body) => isAnswer(readResponse(body)),
    readUsage: (body) => readResponse(body)?.usage ?? NO_USAGE,
    readError,
    passThrough: undefined,
  };
};

/** Without content it counts only when the model demonstrably worked for it: it was cut or filtered, or wrote tokens. */
export const isAnswer = (response: ChatResponse | undefined): boolean =>
  response !== undefined &&
  !isTooMany(response.parts) &&
  (response.parts.length > 0 ||
    response.finishReason === "length" ||
    response.finishReason === "content-filter" ||
    (response.usage.outputTokens ?? 0) > 0);

/** A vendor's two token counters; two zeros are a placeholder: no model reads nothing. */
export const usageOf = (input: unknown, output: unknown): Usage => {
  const inputTokens = readCounter(input);
  const outputTokens = readCounter(output);
  if ((inputTokens ?? 0) === 0 && (outputTokens ?? 0) === 0) return NO_USAGE;
  return { ...NO_USAGE, inputTokens, outputTokens };
};
