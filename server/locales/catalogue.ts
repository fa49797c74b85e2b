import type { NOTICE_EVENTS, NoticeEventName } from "@tollgate/contract/notices/notice-events";
import type { LedgerCause } from "@tollgate/contract/records/ledger-entry";
import type { GatewayErrorCode } from "@tollgate/contract/relay/error";
import type { ExpectedValue, MediaKind, RequestFaultCode } from "@tollgate/contract/relay/request-fault";
import type { UpstreamFaultCode } from "@tollgate/contract/relay/upstream-fault";
import type { Amount, LogPhraseCode } from "@tollgate/contract/values/log-phrase";
import type { IncidentCode } from "@tollgate/relay/ports/directory";
import type { TransportFailure } from "@tollgate/relay/ports/transport";
import type { core } from "zod/mini";
import type { BudgetWord } from "./budget-word";
import type messages from "./zh-CN/messages.json";
import type statement from "./zh-CN/statement.json";

export type MessageKey = keyof typeof messages;
export type Messages = Readonly<Record<MessageKey, string>>;
export type Refusals = Readonly<Record<GatewayErrorCode, string>>;

/** The kinds of amounts, each with the word for its number: `{usd: "$ {usd}"}`; `money` in another currency. */
type AmountKind = (Amount extends infer Each ? (Each extends unknown ? keyof Each : never) : never) | "money";

export type StatementWords = Readonly<Record<keyof typeof statement.statement, string>>;

/** Texts for the phrases of a log line. */
export interface LogTexts {
  phrases: Readonly<Record<LogPhraseCode, string>>;
  amounts: Readonly<Record<AmountKind, string>>;
  /** Why a request failed when its client got no answer. */
  ends: Readonly<Record<"client-left" | "failed", string>>;
  separator: string;
  /** Why a channel was switched off, where the gateway itself found out. */
  reasons: Readonly<Record<IncidentCode, string>>;
}

/** Texts about events: for each its begin, for some its end; and one for the test of a target. */
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
 * Changes of an account: the identity's name is filled in, except for sign-in methods with their own text in a language
 * (`identity-<method>`).
 */
type AccountChangeText =
  | "password"
  | "email"
  | "identity"
  | "identity-wechat"
  | "identity-unbound"
  | "second-factor-on"
  | "second-factor-off"
  | "backup-codes"
  | "passkey-added"
  | "passkey-removed";

/**
 * Texts of the server in one language, except mails (mail-templates.ts). A missing text does not compile; `{names}` in
 * texts are filled in.
 */
export interface Catalogue {
  /** Values of Accept-Language that select it; the longest match wins: "zh-TW" before "zh". */
  tags: readonly string[];
  messages: Messages;
  /** Notices about events; a title is one line. */
  notices: Readonly<Record<NoticeTextKey, { title: string; text: string }>>;
  refusals: Refusals;
  /** Faults in a request. */
  requestFaults: Readonly<Record<RequestFaultCode, string>>;
  /** Faults of an upstream found by the gateway, for administrators and the operator's log. */
  upstreamFaults: Readonly<Record<UpstreamFaultCode, string>>;
  /** Failures to reach an upstream, for readers who must not see its address. */
  transportFailures: Readonly<Record<TransportFailure["kind"], string>>;
  /** Expected values of a request's field. */
  expectedValues: Readonly<Record<ExpectedValue, string>>;
  /** Content of a request other than text. */
  mediaKinds: Readonly<Record<MediaKind, string>>;
  /** The model of a refused request, where the client named it by an alias. */
  aliasedModel: string;
  /** Owners of the limit in a refusal. */
  limitScopes: Readonly<Record<"key" | "user" | "group", string>>;
  /** Words of notices about budgets: periods, owners, and effects of the used up budget. */
  budgetWords: Readonly<Record<BudgetWord["word"], string>>;
  /** Parts that a body has too many of. */
  bodyParts: Readonly<Record<"values" | "names" | "shapes" | "escapes" | "loose bytes", string>>;
  log: LogTexts;
  /** Changes of an account, for mails. */
  accountChanges: Readonly<Record<AccountChangeText, string>>;
  /** Words of a statement's PDF. */
  statement: StatementWords;
  ledgerCauses: Readonly<Record<LedgerCause, string>>;
  /** Printed to the terminal while root has no password. */
  setupLink: Readonly<Record<"open" | "elsewhere", string>>;
  /** The schema library's messages for invalid fields. */
  schemaIssue: core.$ZodErrorMap;
}
