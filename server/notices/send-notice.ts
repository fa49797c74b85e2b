import { createHmac } from "node:crypto";
import type { DeliveryTools, NoticeMessage, Verdict } from "@tollgate/contract/notices/deliver";
import { DELIVERIES } from "@tollgate/contract/notices/deliveries";
import {
  isSecretField,
  type NoticeTargetName,
  targetFieldsOf,
} from "@tollgate/contract/notices/notice-targets";
import type { NoticeFault } from "@tollgate/contract/records/notice-record";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { JSON_BOUNDS } from "@tollgate/protocols/shared/json/scan-json";
import { parseJsonAnswer, type postText, type Reach } from "@tollgate/relay/transport/guarded-fetch";
import { noticeMail } from "../locales/format-notice";
import type { Mailer } from "../management-api/mailer";

/** The target of a message. */
export interface SendingTarget {
  kind: NoticeTargetName;
  fields: Readonly<Record<string, string>>;
}

export interface SendingResult {
  fault: NoticeFault | undefined;
  isWorthAnother: boolean;
  /** HTTP status; 0 for none. */
  status: number;
  /** The service's own message, without the target's secrets. */
  detail: string;
}

const TIMEOUT_MS = 10_000;
/** Services answer with a few words. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_DETAIL = 200;
/** Parts of an address that are shorter are no credentials. */
const LEAST_SECRET = 6;

/** Secrets of a target that must not be shown: unchanged, and as encoded in addresses. */
const secretsOf = ({ kind, fields }: SendingTarget): string[] => {
  const secrets: string[] = [];
  for (const [name, field] of targetFieldsOf(kind)) {
    const value = fields[name] ?? "";
    if (value === "" || !isSecretField(field)) continue;
    secrets.push(value, encodeURIComponent(value));
    if (field.type !== "secret-url" || !URL.canParse(value)) continue;
    const { pathname, search, searchParams } = new URL(value);
    secrets.push(pathname, search, ...pathname.split("/"), ...searchParams.values());
  }
  return secrets.filter((secret) => secret.length >= LEAST_SECRET).sort((a, b) => b.length - a.length);
};

/** A service's message, safe to show to the target's owner: one line, cut, without the target's secrets. */
const concealDetail = (detail: string, target: SendingTarget): string => {
  let concealed = detail.replace(/[\p{C}\s]+/gu, " ").trim();
  for (const secret of secretsOf(target)) concealed = concealed.replaceAll(secret, "***");
  return [...concealed].slice(0, MAX_DETAIL).join("");
};

const ended = (
  fault: NoticeFault | undefined,
  isWorthAnother: boolean,
  status = 0,
  detail = "",
): SendingResult => ({ fault, isWorthAnother, status, detail });

const parse = (text: string | undefined): unknown => {
  const read = text === undefined ? undefined : parseJsonAnswer(Buffer.from(text), JSON_BOUNDS);
  return read?.kind === "json" ? read.value : undefined;
};

/** Statuses that pass by themselves (RFC 9110, sections 15.5.9 and 15.6; RFC 6585, section 4). */
const passes = (status: number): boolean => status === 408 || status === 429 || status >= 500;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Converts an answer to a result. */
const resultOf = (status: number, verdict: Verdict | undefined, target: SendingTarget): SendingResult => {
  const detail = verdict && "detail" in verdict ? concealDetail(verdict.detail, target) : "";
  if (!isSuccess(status)) {
    const isWorthAnother = passes(status) || verdict?.kind === "later";
    return detail === ""
      ? ended("status", isWorthAnother, status)
      : ended(isWorthAnother ? "later" : "refused", isWorthAnother, status, detail);
  }
  if (verdict === undefined) return ended("unreadable", true, status);
  if (verdict.kind === "accepted") return ended(undefined, false, status);
  return ended(verdict.kind, verdict.kind === "later", status, detail);
};

/** A target's fields, with defaults for empty ones; addresses without a trailing slash. */
const filledFields = ({ kind, fields }: SendingTarget): Record<string, string> =>
  Object.fromEntries(
    targetFieldsOf(kind).map(([name, field]) => {
      const value = fields[name] || field.default || "";
      return [name, field.type === "url" ? stripEnd(value, "/") : value];
    }),
  );

const hmac: DeliveryTools["hmac"] = (key, text, keyForm = "utf8") =>
  createHmac("sha256", Buffer.from(key, keyForm)).update(text).digest("base64");

export interface SendingTools {
  mailer: Pick<Mailer, "send">;
  /** Unix milliseconds. */
  nowMs(): number;
  /** Replaced in tests. */
  post: typeof postText;
}

/** Sends a message once. @param reach where addresses that were typed may lead. Never throws. */
export const sendNotice = async (
  target: SendingTarget,
  message: NoticeMessage,
  reach: Reach,
  { mailer, nowMs, post }: SendingTools,
): Promise<SendingResult> => {
  if (target.kind === "email") {
    const to = target.fields.to ?? "";
    if (to === "") return ended("no-address", false);
    try {
      await mailer.send({ to, ...noticeMail(message.title, message.text, message.link) });
      return ended(undefined, false);
    } catch {
      // The mailer has already reported the reason to the operator.
      return ended("mail-failed", true);
    }
  }
  const delivery = DELIVERIES[target.kind];
  try {
    const { url, headers, body } = delivery.request(filledFields(target), message, { nowMs: nowMs(), hmac });
    const answer = await post(
      url,
      { headers: { "content-type": "application/json", "user-agent": "tollgate", ...headers }, body },
      { reach, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES },
    );
    if (!answer) return ended("unreachable", true);
    return resultOf(answer.status, delivery.judge(parse(answer.text)), target);
  } catch {
    // The typed values make no valid request.
    return ended("unreachable", false);
  }
};
