import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import { isRecord, type JsonRecord } from "../json/json-values";
import { scrubMessage } from "./scrub-message";

/** The content of an error body, whatever its shape. */
export interface ErrorDetails {
  /** Scrubbed; "" when the body has no words for a reader. */
  message: string;
  /** The message in lower case before scrubbing, for recognising phrases; never to be shown. */
  phrases: string;
  type: string;
  /** The vendor's code; a number becomes its digits. */
  code: string;
  /** Further codes beside it, which are the vendor's own words. */
  reasons?: readonly string[];
  /** The body is a web page: a proxy or a firewall spoke, not the vendor's API. It has no words for a reader. */
  fault: Extract<UpstreamFault, { code: "web-page" }> | undefined;
}

/**
 * Reads an error out of a body of any shape: `{error: {message, type, code}}`, `{error: "…"}`, a list of those,
 * `{message, code}`, `{detail: …}`, `{errors: […]}`, `{base_resp: {status_code, status_msg}}`, or plain text.
 */
export const readErrorDetails = (body: unknown): ErrorDetails => {
  if (typeof body === "string") return fromText(body);
  const root = Array.isArray(body) ? body[0] : body;
  if (!isRecord(root)) return detailsOf("", "", "");
  if (isRecord(root.error)) return fromObject(root.error);
  if (typeof root.error === "string" && root.error !== "") {
    // "error" is either the message itself or a short code next to it.
    const sentence = firstText(root.message, root.error_description, root.msg);
    return detailsOf(sentence === "" ? root.error : sentence, "", toCode(root.code));
  }
  if (isRefusal(root.base_resp)) return fromRefusal(root.base_resp);
  const first = Array.isArray(root.errors) ? root.errors[0] : undefined;
  if (isRecord(first)) return fromObject(first);
  return fromObject(root);
};

/**
 * Whether the body of a success is actually an error. Some vendors answer 200 with `{error: …}`, others with a bare
 * `{code, message}`.
 */
export const carriesError = (body: JsonRecord): boolean => {
  const { error } = body;
  if (isRefusal(body.base_resp)) return true;
  if (isRecord(error)) return Object.keys(error).length > 0;
  if (typeof error === "string") return error !== "";
  if (error === true) return true;
  return (
    body.type === "error" ||
    (body.choices === undefined &&
      body.content === undefined &&
      (typeof body.code === "string" || typeof body.code === "number") &&
      (typeof body.message === "string" || typeof body.msg === "string"))
  );
};

/** The state of an answer of MiniMax: 0 for a success (https://platform.minimaxi.com/docs/api-reference/errorcode). */
const isRefusal = (state: unknown): state is JsonRecord =>
  isRecord(state) && typeof state.status_code === "number" && state.status_code !== 0;

const fromRefusal = ({ status_code: code, status_msg: message }: JsonRecord): ErrorDetails =>
  detailsOf(firstText(message), "", toCode(code));

const fromText = (text: string): ErrorDetails => {
  const isPage = /^\s*(?:<!doctype|<html|<head|<body|<\?xml|<!--|<center)/i.test(text);
  return isPage ? { ...detailsOf("", "", ""), fault: { code: "web-page" } } : detailsOf(text, "", "");
};

const fromObject = (error: JsonRecord): ErrorDetails =>
  detailsOf(
    firstText(
      error.message,
      error.msg,
      error.error_msg,
      error.detail,
      error.error_description,
      firstDetail(error),
    ),
    firstText(error.type, error.status),
    firstText(toCode(error.code), toCode(error.error_code)),
  );

/** FastAPI's validation errors: `{detail: [{loc, msg}]}`. */
const firstDetail = ({ detail }: JsonRecord): unknown => {
  const first = Array.isArray(detail) ? detail[0] : undefined;
  return isRecord(first) ? first.msg : undefined;
};

const firstText = (...values: unknown[]): string => {
  for (const value of values) if (typeof value === "string" && value !== "") return value;
  return "";
};

const toCode = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

const detailsOf = (message: string, type: string, code: string): ErrorDetails => ({
  message: scrubMessage(message),
  phrases: message.slice(0, 4000).toLowerCase(),
  type: scrubMessage(type),
  code: scrubMessage(code),
  fault: undefined,
});
