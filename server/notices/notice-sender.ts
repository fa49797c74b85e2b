import { randomUUID } from "node:crypto";
import type { NoticeMessage } from "@tollgate/contract/notices/deliver";
import type { NoticeEventName, NoticePhase } from "@tollgate/contract/notices/notice-events";
import type {
  ClaimedNotice,
  NoticeOutcome,
  NoticeOwner,
  NoticeTargetRecord,
} from "@tollgate/contract/records/notice-record";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import type { AccountQueries } from "@tollgate/storage/accounts/ports";
import type { NoticeChanges } from "@tollgate/storage/accounts/site-ports";
import type { Stores } from "@tollgate/storage/stores";
import type { Job } from "../jobs/start-job";
import { formatNotice, type NoticeParams, noticeLanguage } from "../locales/format-notice";
import { noticeScale } from "../state/display-currency";
import type { Options } from "../state/options";
import { type SendingResult, type SendingTarget, type SendingTools, sendNotice } from "./send-notice";

/** Interval for checking for due notices; those raised by this node are sent immediately. */
const LOOK_MS = 5_000;
/** Seconds before each retry; after the last one the notice is dropped. */
const RETRY_SECONDS = [30, 120, 600, 1800];
/** A notice older than this is dropped, seconds. */
const TOO_OLD_SECONDS = 86_400;
/** Messages per receiver and minute: groups of WeCom and DingTalk accept 20. */
const PER_MINUTE = 10;
/** For how long a notice belongs to this node: longer than a try takes, seconds. */
const CLAIM_SECONDS = 120;
/** Time an incident must be over before its end is reported, seconds: a channel that comes and goes is one incident. */
export const SETTLE_SECONDS = 300;
/** Sent notices are kept for this time, and at most this many. */
const KEPT_SECONDS = 30 * 86_400;
const MAX_KEPT = 10_000;
const FORGET_MS = 3_600_000;

export interface NoticeSenderTools extends SendingTools {
  read: Pick<AccountQueries, "users">;
  write: NoticeChanges;
  exclusively: Stores["exclusively"];
  options: Options;
  isMailConfigured(): boolean;
  /** Looks which incidents are over. */
  watch(): Promise<void>;
  reportError(error: Error): void;
}

/** The pages of records that a notice names by its id. */
const RECORD_PAGES = {
  "/channel": "/channel/edit",
  "/ticket": "/ticket",
  "/ticket/manage": "/ticket/manage",
};

const CHANNELS = "/channel";

/** The page of the console for each event; "" for an event without a page. */
const PAGES: Readonly<Record<NoticeEventName | "test", string>> = {
  "balance-low": "/topup",
  "balance-used-up": "/topup",
  "top-up": "/topup",
  "channel-disabled": CHANNELS,
  "key-disabled": CHANNELS,
  "upstream-balance-low": CHANNELS,
  "models-changed": CHANNELS,
  "budget-half": "/token",
  "budget-near": "/token",
  "budget-used-up": "/token",
  "budget-extra-used-up": "/token",
  "group-budget": "/setting?tab=operation",
  "spending-unusual": "/token",
  "key-frozen": "/token",
  "models-unusual": "/token",
  "key-frozen-models": "/token",
  "networks-unusual": "/token",
  "key-frozen-networks": "/token",
  "other-model-served": CHANNELS,
  "plan-ending": "/plan",
  "plan-ended": "/plan",
  "plan-renewed": "/plan",
  "plan-renewal-failed": "/plan",
  "order-refunded": "/order",
  "refund-failed": "/order",
  "payment-suspicious": "/order",
  "invoice-requested": "/invoice/manage",
  "invoice-to-reverse": "/invoice/manage",
  "invoice-issued": "/invoice",
  "invoice-declined": "/invoice",
  "invoice-reversed": "/invoice",
  "ticket-waiting": "/ticket/manage",
  "ticket-answered": "/ticket",
  "ticket-closed": "/ticket",
  "user-created": "/user",
  "margin-negative": "/profit",
  "prices-changed": "/setting?tab=operation",
  "prices-differ": "/setting?tab=operation",
  "price-draft-refused": "/pricing/rehearsal",
  "backup-failed": "/cockpit",
  test: "",
};

const hasRecords = (page: string): page is keyof typeof RECORD_PAGES => Object.hasOwn(RECORD_PAGES, page);

const linkOf = (event: NoticeEventName | "test", { id }: NoticeParams, base: string): string => {
  const page = PAGES[event];
  if (page === "") return "";
  const record = hasRecords(page) && typeof id === "number" ? `${RECORD_PAGES[page]}/${id}` : page;
  return `${base}${record}`;
};

const readParams = (json: string): NoticeParams => {
  const params: unknown = JSON.parse(json);
  return typeof params === "object" && params !== null ? { ...params } : {};
};

/** Sends waiting notices: from one node at a time, to several receivers at once, each at most a few a minute. */
export class NoticeSender {
  private running: Promise<void> | undefined;
  private isStopped = false;
  private forgotAt = 0;

  constructor(private readonly tools: NoticeSenderTools) {}

  /** Checks regularly, also for notices raised by other nodes. */
  get job(): Job {
    return { name: "sending-notices", everyMs: LOOK_MS, run: () => this.startRound(true) };
  }

  /** Sends waiting notices now, unless another node is sending. */
  kick(): void {
    if (this.isStopped) return;
    this.tools
      .exclusively("sending-notices", () => this.startRound(false))
      .catch((error: unknown) => this.report(error));
  }

  /** Stops after the running round. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  /** Sends a test message to a target, and stores the outcome. */
  async test(target: NoticeTargetRecord): Promise<NoticeOutcome> {
    const at = this.seconds();
    const id = `msg_${randomUUID().replaceAll("-", "")}`;
    const params = { name: target.name };
    const message = this.messageOf(target, { id, event: "test", phase: "test", at, params });
    const outcome = this.outcomeOf(await this.sendOver(target, target.owner, message), undefined, at);
    await this.tools.write.noteTest(target, id, outcome, at);
    return outcome;
  }

  private seconds(): number {
    return Math.floor(this.tools.nowMs() / 1000);
  }

  private report(error: unknown): void {
    this.tools.reportError(error instanceof Error ? error : new Error(String(error)));
  }

  /** A call during a round waits for it; the next round handles the rest. */
  private async startRound(isWatching: boolean): Promise<void> {
    this.running ??= this.round(isWatching).finally(() => {
      this.running = undefined;
    });
    await this.running;
  }

  private async round(isWatching: boolean): Promise<void> {
    const { write, watch, isMailConfigured } = this.tools;
    if (isWatching) {
      await watch();
      await write.settle(this.seconds() - SETTLE_SECONDS, this.seconds(), isMailConfigured());
      await this.forget();
    }
    while (!this.isStopped) {
      const now = this.seconds();
      const claimed = await write.claim(now, now + CLAIM_SECONDS, PER_MINUTE);
      if (claimed.length === 0) return;
      await Promise.all(claimed.map((notice) => this.sendOne(notice)));
    }
  }

  private async forget(): Promise<void> {
    if (this.tools.nowMs() - this.forgotAt < FORGET_MS) return;
    this.forgotAt = this.tools.nowMs();
    await this.tools.write.forget(this.seconds() - KEPT_SECONDS, MAX_KEPT);
  }

  private async sendOne(notice: ClaimedNotice): Promise<void> {
    const { target, owner, messageId: id, event, phase, at } = notice;
    const isTooOld = this.seconds() - at > TOO_OLD_SECONDS;
    try {
      const result: SendingResult =
        target === "gone" || isTooOld
          ? {
              fault: target === "gone" ? "way-gone" : "too-old",
              isWorthAnother: false,
              status: 0,
              detail: "",
            }
          : await this.sendOver(
              target,
              owner,
              this.messageOf(target, { id, event, phase, at, params: readParams(notice.params) }),
            );
      const now = this.seconds();
      await this.tools.write.finish(notice.id, this.outcomeOf(result, notice.attempts, now), now);
    } catch (error) {
      // It is a person's again when the claim ends.
      this.report(error);
    }
  }

  /** @param target undefined for the e-mail of a user without targets. */
  private async sendOver(
    target: NoticeTargetRecord | undefined,
    owner: NoticeOwner,
    message: NoticeMessage,
  ): Promise<SendingResult> {
    const reach = owner === "site" ? "guarded" : "public";
    return sendNotice(await this.readTarget(target, owner), message, reach, this.tools);
  }

  /** Users are mailed at their own address alone, the site where root wants it, or at root's own. */
  private async readTarget(
    target: NoticeTargetRecord | undefined,
    owner: NoticeOwner,
  ): Promise<SendingTarget> {
    if (target && (target.kind !== "email" || owner === "site")) return target;
    const { users } = this.tools.read;
    const user = await (owner === "site" ? users.findByRole(ROLE_ROOT) : users.find(owner));
    return { kind: "email", fields: { to: user?.email ?? "" } };
  }

  private messageOf(
    target: NoticeTargetRecord | undefined,
    said: {
      id: string;
      event: NoticeEventName | "test";
      phase: NoticePhase;
      at: number;
      params: NoticeParams;
    },
  ): NoticeMessage {
    const { options } = this.tools;
    const language = noticeLanguage(target?.language ?? "");
    return {
      ...said,
      ...formatNotice(language, said.event, said.phase, said.params, noticeScale(options, said.at)),
      link: linkOf(said.event, said.params, options.serverAddress()),
      site: options.text("SystemName"),
    };
  }

  /** @param attempts undefined where it is tried once. */
  private outcomeOf(
    { fault, isWorthAnother, status, detail }: SendingResult,
    attempts: number | undefined,
    now: number,
  ): NoticeOutcome {
    if (fault === undefined) return { state: "sent", status, detail };
    const wait = attempts === undefined || !isWorthAnother ? undefined : RETRY_SECONDS[attempts - 1];
    if (wait === undefined) return { state: "failed", fault, status, detail };
    return { state: "waiting", fault, status, detail, dueAt: now + wait };
  }
}
