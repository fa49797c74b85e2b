import type { NOTICE_EVENTS, NoticeEventName } from "@tollgate/contract/notices/notice-events";
import type { GatewayErrorCode } from "@tollgate/contract/relay/error";
import type { ExpectedValue, MediaKind, RequestFaultCode } from "@tollgate/contract/relay/request-fault";
import type { UpstreamFaultCode } from "@tollgate/contract/relay/upstream-fault";
import type { Amount, LogPhraseCode } from "@tollgate/contract/values/log-phrase";
import type { IncidentCode, TransportFailure } from "@tollgate/relay/ports";
import type { core } from "zod/mini";
import type messages from "./zh-CN/messages.json";

export type MessageKey = keyof typeof messages;
export type Messages = Readonly<Record<MessageKey, string>>;
export type Refusals = Readonly<Record<GatewayErrorCode, string>>;

/** The kinds of amounts, each with the word for its number: `{usd: "$ {usd}"}`. */
type AmountKind = Amount extends infer Each ? (Each extends unknown ? keyof Each : never) : never;

/** How a log line's phrases are said. */
export interface LogTexts {
  phrases: Readonly<Record<LogPhraseCode, string>>;
  amounts: Readonly<Record<AmountKind, string>>;
  /** Why a request came to nothing whose client was told nothing. */
  ends: Readonly<Record<"client-left" | "failed", string>>;
  /** What stands between two phrases. */
  separator: string;
  /** Why a channel was switched off, where the gateway itself found out. */
  reasons: Readonly<Record<IncidentCode, string>>;
}

/** What people are told of events: of each that it happened, of some that it is over, and that a way works. */
export type NoticeTextKey =
  | NoticeEventName
  | {
      [Event in NoticeEventName]: (typeof NOTICE_EVENTS)[Event] extends { hasRecovery: true }
        ? `${Event}-over`
        : never;
    }[NoticeEventName]
  | "test";

/** The mails, each a file `mails/<name>.html` in the folder of a language. */
export const MAIL_KEYS = ["email-code", "email-taken", "password-reset", "account-changed"] as const;
export type MailKey = (typeof MAIL_KEYS)[number];

/**
 * What of an account was changed: which identity is filled in, but for sign-in methods that a language says otherwise
 * (`identity-<method>`).
 */
type AccountChange = "password" | "email" | "identity" | "identity-wechat";

/**
 * What the server says in one language, besides its mails (mail-templates.ts). A text that is missing does not compile;
 * `{names}` in texts are filled in.
 */
export interface Catalogue {
  /** What of Accept-Language asks for it; the longest that fits wins: "zh-TW" before "zh". */
  tags: readonly string[];
  messages: Messages;
  /** What people are told of what happens; a title is one line. */
  notices: Readonly<Record<NoticeTextKey, { title: string; text: string }>>;
  refusals: Refusals;
  /** What is wrong with a request. */
  requestFaults: Readonly<Record<RequestFaultCode, string>>;
  /** What the gateway found wrong with an upstream, for administrators and the operator's log. */
  upstreamFaults: Readonly<Record<UpstreamFaultCode, string>>;
  /** What went wrong on the way to an upstream, where its address is not to be told. */
  transportFailures: Readonly<Record<TransportFailure["kind"], string>>;
  /** What a field of a request must hold. */
  expectedValues: Readonly<Record<ExpectedValue, string>>;
  /** What a request brings besides text. */
  mediaKinds: Readonly<Record<MediaKind, string>>;
  /** Whose limit a refusal speaks of. */
  limitScopes: Readonly<Record<"key" | "user" | "group", string>>;
  /** What a body holds too much of. */
  bodyParts: Readonly<Record<"values" | "names" | "shapes" | "escapes" | "loose bytes", string>>;
  log: LogTexts;
  /** What a mail says of an account that was changed. */
  accountChanges: Readonly<Record<AccountChange, string>>;
  /** What the terminal says while root has no password. */
  setupLink: Readonly<Record<"open" | "elsewhere", string>>;
  /** What the schema library says of a field that does not fit. */
  schemaIssue: core.$ZodErrorMap;
}
