import type { NoticeEventName, NoticePhase } from "./notice-events";
import type { NoticeTargetOf, TargetField } from "./notice-target";

/** Notice to a person, in their language. */
export interface NoticeMessage {
  /** The same for every attempt: receivers recognise repeated messages by it. */
  id: string;
  event: NoticeEventName | "test";
  phase: NoticePhase;
  /** One line. */
  title: string;
  /** Some lines of plain text. */
  text: string;
  /** Where to look further; "" for nowhere. */
  link: string;
  site: string;
  /** Unix seconds at which it happened. */
  at: number;
  /** Values of the text, for programs. */
  params: Readonly<Record<string, unknown>>;
}

export interface DeliveryTools {
  /** Unix milliseconds. */
  nowMs: number;
  /**
   * HMAC-SHA-256 in base64 (RFC 2104, RFC 4648 section 4).
   * @param keyForm encoding of the key's bytes.
   */
  hmac(key: string, text: string, keyForm?: "utf8" | "base64"): string;
}

/** A POST request to the service. */
export interface DeliveryRequest {
  url: string;
  headers?: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Meaning of an answer. `detail` is the service's own message: shown to the person who set the target, without secrets
 * and cut. "refused" stays so however often it is sent; "later" is retried.
 */
export type Verdict = { kind: "accepted" } | { kind: "refused" | "later"; detail: string };

export const ACCEPTED: Verdict = { kind: "accepted" };

/** Builds a message's request, and judges the answer to it. */
export interface Delivery<Name extends string, Field extends string> {
  name: Name;
  /** @param fields their values; "" for one that was left empty and has no default. */
  request(
    fields: Readonly<Record<Field, string>>,
    message: NoticeMessage,
    tools: DeliveryTools,
  ): DeliveryRequest;
  /**
   * @param answer JSON of a successful answer; undefined when it is not JSON.
   * @returns undefined when the answer does not come from this service.
   */
  judge(answer: unknown): Verdict | undefined;
}

export const deliveryOf = <Name extends string, Fields extends Readonly<Record<string, TargetField>>>(
  { name }: NoticeTargetOf<Name, Fields>,
  delivery: Omit<Delivery<Name, keyof Fields & string>, "name">,
): Delivery<Name, keyof Fields & string> => ({ name, ...delivery });

/** Title, text and link, each on lines of their own, for services that have one text. */
export const wholeText = ({ title, text, link }: NoticeMessage): string =>
  [title, text, link].filter((part) => part !== "").join("\n");

/** How many bytes a character has in UTF-8. */
const bytesOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
};

const ELLIPSIS = "…";

/** Cuts a text to bytes of UTF-8, between characters. */
export const clipBytes = (text: string, bytes: number): string => {
  let used = 0;
  /** The longest part that fits together with the sign of omission. */
  let fits = 0;
  let at = 0;
  for (const character of text) {
    used += bytesOf(character);
    at += character.length;
    if (used <= bytes - bytesOf(ELLIPSIS)) fits = at;
    if (used > bytes) return text.slice(0, fits) + ELLIPSIS;
  }
  return text;
};
