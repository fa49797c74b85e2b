import type { PlanTerms } from "@tollgate/contract/api/plans";
import type { AccountChanges, AccountQueries } from "../accounts/ports";
import type { BodySteps } from "../bodies/ports";
import { bodyOf, PLENTY } from "../bodies/testing/sample-bodies";
import type { LogQueries } from "../log/ports";
import { encodeReceiptDetail } from "../log/receipt-detail";
import { chargeOf } from "./charge-of";
import { newChannel, newPasskey, newToken, newUser } from "./sample-records";

/*
 * At least one record of every kind that a release stores, and the queries that read each of them. The answers of the release are
 * kept beside its data (fixtures/<version>/records.json), so that later versions prove that they read the same.
 */

/** An hour of 1 January 2026. */
const HOUR = 1_767_225_600;
/** Later than every record. */
const NOW = HOUR + 30 * 86_400;
const ALL = 1_000_000_000;
const UNIT = { quotaPerUnit: 500_000, isCurrency: true };

const fillPeople = async (changes: AccountChanges) => {
  const { users, sessions, secondFactors, passkeys, signInProviders, managementKeys } = changes;
  const { tokens, channels, options, verifications } = changes;
  const { user } = await users.create(
    newUser({
      quota: 2_000_000,
      displayName: "Алиса 爱丽丝 🦊",
      email: "alice@example.com",
      affCode: "invite",
      identity: { method: "github", subject: "1" },
    }),
    0,
    [],
  );
  await users.create(newUser({ username: "bob", inviterId: user.id, affCode: "bobs" }), 50, []);
  await users.setAccessToken(user.id, "access-token-of-alice");
  await users.change(user.id, { limits: { rpm: 10, dailyQuota: 900_000 } });
  await users.change(2, { permissionSet: "support" });
  await users.grant(user.id, 300, { cause: "quota-changed", actorId: 2, at: HOUR, reference: "by-hand" });
  await sessions.create({
    idHash: "hash-of-session",
    userId: user.id,
    createdTime: HOUR,
    expiresTime: NOW + 9,
    address: "192.0.2.1",
    userAgent: "Firefox",
    lastUsedTime: HOUR,
  });
  await secondFactors.replace(undefined, {
    ...{ userId: user.id, secret: "JBSWY3DPEHPK3PXP", backupCodes: ["ABCDE-FGHJK"], version: "" },
    ...{ confirmedTime: HOUR, lastStep: HOUR / 30 },
  });
  await passkeys.add(newPasskey(user.id, { createdTime: HOUR }), { max: 1, isFirst: false });
  await signInProviders.create(
    {
      ...{ slug: "acme", name: "Acme", issuer: "https://id.example.com", clientId: "tollgate" },
      ...{ clientSecret: "provider-secret", scopes: "openid email", emailDomains: "example.com" },
      ...{ groupClaim: "groups", requiredGroups: "", isEnabled: true, mayRegister: true, createdTime: HOUR },
    },
    9,
  );
  await users.change(2, { identity: { method: "oidc_1", subject: "bob" } });
  await managementKeys.create(
    {
      ...{ userId: user.id, name: "backup", start: "mk-abcdef", permissions: "own:read,logs:read" },
      ...{ networks: "192.0.2.0/24", createdTime: HOUR, expiresTime: NOW + 9 },
    },
    "mk-secret-of-alice",
    20,
  );
  const { token } = await tokens.create(
    newToken(user.id, { models: ["gpt-4"], subnet: "192.0.2.0/24", limits: { rpm: 5 } }),
  );
  await tokens.rotate(user.id, token.id, { key: "r".repeat(48), formerUntil: NOW });
  await channels.create([newChannel(), newChannel({ name: "渠道", key: "a\nb", tag: "east", weight: 3 })]);
  await channels.saveTest(1, HOUR, 120);
  await channels.saveTypedBalance(2, 12.5, HOUR);
  await options.put("SystemName", "中转站", false);
  await options.put("SMTPToken", "mail-secret", true);
  await verifications.put("email", "carol@example.com", "123456", NOW + 9);
  const movement = { cause: "quota-changed", actorId: 2, at: HOUR, reference: "nothing" } as const;
  await users.take(2, 0, movement);
  const identity = { method: "github", subject: "2" } as const;
  const former = newUser({ username: "former", affCode: "former", identity, quota: 0 });
  await users.remove((await users.create(former, 0, [])).user.id);
};

/** An invoice title, and an issued invoice over an order. */
const fillInvoices = async ({ invoices }: AccountChanges) => {
  const title = {
    ...{
      kind: "company" as const,
      name: "云岭数据",
      taxNumber: "91330106MA2CFLDG4R",
      email: "a@example.com",
    },
    ...{ address: "", phone: "", bank: "", account: "6222" },
  };
  await invoices.addTitle(2, { ...title, isDefault: true }, 9);
  await invoices.apply(
    {
      ...{ userId: 2, username: "bob", isSpecial: true, title, orders: ["n1"], note: "by mail" },
      createdAt: HOUR + 6,
    },
    { minimum: 0, maxOpen: 9, maxDaily: 9 },
  );
  const file = { type: "pdf", content: Buffer.from("%PDF-1").toString("base64") } as const;
  await invoices.issue(1, {
    ...{ actorId: 1, actorName: "alice", at: HOUR + 7, amount: 730, number: "26332000", link: "", file },
  });
};

/** A ticket with a receipt, an answer and a note, and a closed one. */
const fillTerms = async ({ terms }: AccountChanges) => {
  const first = { version: 1, userAgreement: "Be kind", privacyPolicy: "", asksAgain: true };
  const summary = { version: 1, askedVersion: 1, hasAgreement: true, hasPolicy: false };
  await terms.publish({ ...first, author: "root", publishedAt: HOUR }, summary);
  await terms.accept(2, 1, HOUR + 1);
};

const fillTickets = async ({ tickets }: AccountChanges) => {
  const limits = { maxOpen: 9, maxDaily: 9, maxEntries: 9 };
  const bob = { authorId: 2, authorName: "bob" };
  const alice = { authorId: 1, authorName: "alice" };
  const ticket = { subject: "退款", category: "billing", text: "扣费有误", requestId: "request-1" } as const;
  await tickets.open({ ...ticket, ...bob, at: HOUR + 8 }, limits);
  await tickets.answer(1, { ...alice, text: "Refunded", at: HOUR + 9 }, limits);
  await tickets.addNote(1, { ...alice, text: "asked twice", at: HOUR + 9 }, limits);
  await tickets.assign(1, { id: 1, name: "alice" });
  await tickets.open({ ...ticket, ...bob, requestId: "", at: HOUR + 10 }, limits);
  await tickets.close(2, "customer", { ...bob, at: HOUR + 11 });
};

const fillMoney = async ({ redemptions, promotions, commissions, orders, plans, users }: AccountChanges) => {
  const code = { userId: 1, name: "gift", quota: 77, createdTime: HOUR };
  await redemptions.create([
    { ...code, key: "c".repeat(32), mostUses: 2 },
    { ...code, key: "d".repeat(32), expiresTime: NOW },
  ]);
  await redemptions.redeem("c".repeat(32), 2, HOUR + 1, "bob", UNIT);
  const note = { at: HOUR + 2, unit: UNIT, commission: { basisPoints: 1000, isOfEach: true } };
  const order = {
    ...{ userId: 2, username: "bob", provider: "stripe", method: "alipay", usd: "1", amount: 730 },
    ...{ currency: "CNY", quota: 500_000, bonus: 7, factor: "1", createdAt: HOUR, expiresAt: HOUR + 3100 },
  };
  const paid = { kind: "paid", provider: "stripe", amount: 730, currency: "CNY" } as const;
  const rule = {
    ...({
      kind: "code",
      code: "SPRING",
      name: "Spring",
      isEnabled: true,
      effect: "bonus",
      unit: "quota",
    } as const),
    ...({
      steps: [{ from: 0, value: 100 }],
      maxEffect: 0,
      products: ["top-up"],
      groups: ["default"],
    } as const),
    ...{ isFirstOnly: false, isCombinable: true, startsAt: HOUR, endsAt: NOW, maxUses: 9, maxUsesPerUser: 2 },
    ...{ maxTotal: 5000, makerId: 1, author: "alice", createdTime: HOUR, updatedTime: HOUR },
  };
  await promotions.create([rule], 9);
  const first = await orders.create({ ...order, number: "n1" }, 5);
  await orders.begin(first?.id ?? 0, "cs_1", { kind: "qr", content: "weixin://x" });
  await orders.step("n1", { ...paid, payment: "pi_1" }, note);
  await orders.create({ ...order, number: "n2" }, 5);
  await orders.step("n2", { ...paid, payment: "pi_2" }, note);
  await orders.beginRefund("n2", "re_1", true, note, ALL);
  const promoted = { id: 1, name: "Spring", code: "SPRING", effect: "bonus", quota: 100, amount: 0 } as const;
  await orders.create(
    { ...order, number: "n3", quota: 500_100, bonus: 107, promotionBonus: 100, promotions: [promoted] },
    5,
  );
  await orders.noteFault({
    provider: "stripe",
    orderId: 3,
    fault: "wrong-amount",
    lastAt: HOUR,
    words: { payment: "pi_3" },
  });
  await commissions.transfer(1, 1000, HOUR + 3);
  await commissions.ask(1, 2000, "IBAN", HOUR + 4);
  const terms: PlanTerms = {
    ...{ title: "Basic", price: 300, durationUnit: "month" as const, durationCount: 1, quota: 500 },
    ...{ reset: "day" as const, group: "vip", beyond: "balance" as const },
  };
  await plans.create(
    { ...terms, description: "", sortOrder: 1, isEnabled: true, maxPerUser: 3, createdTime: HOUR },
    1,
  );
  await plans.subscribe(
    {
      ...{ userId: 1, planId: 1, terms, startsAt: HOUR, endsAt: NOW, source: "balance", reference: "s1" },
      ...{ renews: true, actorId: 1, now: HOUR, price: 300, mostPerUser: 3 },
    },
    ALL,
    UNIT,
  );
  await plans.openPeriod(
    { subscriptionId: 1, number: 1, startsAt: HOUR, endsAt: HOUR + 86_400, now: HOUR, mostParked: ALL },
    UNIT,
  );
  await users.take(2, 5, { cause: "quota-changed", actorId: 1, at: HOUR + 5, reference: "back" });
};

const fillSite = async (changes: AccountChanges) => {
  const { audit, notices, announcements, priceDrafts, reconciliations, budgetWindows, keyNetworks } = changes;
  await budgetWindows.open({ scope: "key", subject: "1", hours: 5, started: HOUR });
  await keyNetworks.note([{ keyId: 1, network: "192.0.2.0/24", requests: 3 }], HOUR);
  await audit.add({
    ...{ createdAt: HOUR, userId: 1, username: "alice", address: "192.0.2.1", action: "user.update" },
    ...{ target: "2", beneficiary: { id: 2, username: "bob" }, detail: '{"group":["default","vip"]}' },
  });
  const target = { kind: "webhook", isEnabled: true, language: "zh-CN", createdTime: HOUR } as const;
  const fields = { address: "https://example.com/hook", secret: "signing-secret-1" };
  await notices.addTarget("site", { ...target, name: "ops", events: ["channel-disabled"], fields }, 9);
  await notices.addTarget(2, { ...target, name: "own", events: ["balance-low"], fields }, 9);
  await notices.raise({
    ...{ event: "channel-disabled", subject: "1", params: '{"id":1}', at: HOUR, canMail: false },
  });
  await notices.setRemindBelow(2, 42);
  await announcements.create(
    {
      ...{ title: "公告", body: "**维护**", level: "info", isPinned: true, groups: "vip", isPublic: false },
      ...{ startsAt: HOUR, endsAt: NOW, author: "root", createdTime: HOUR, updatedTime: HOUR },
    },
    9,
  );
  await priceDrafts.create({
    ...{ name: "spring", authorId: 1, author: "alice", createdAt: HOUR },
    ...{ changes: '{"ModelRatio":"{}"}', base: '{"ModelRatio":"{}"}' },
  });
  await priceDrafts.beginRehearsal(1, "{}", HOUR, 0);
  await reconciliations.add({
    ...{ channelId: 1, createdAt: HOUR, createdBy: "root" },
    content: {
      ...{
        source: "csv" as const,
        channel_name: "upstream",
        first_at: HOUR,
        last_at: NOW,
        threshold_percent: 1,
      },
      ...{
        unreadable: 0,
        rows: [{ day: "2026-01-01", model: "gpt-4", expected: 5, billed: 6, unknown_requests: 0 }],
      },
    },
  });
  await reconciliations.addMovement({ channelId: 1, kind: "reading", at: HOUR, amount: 5, note: "" });
};

/** Stores records of every kind. @param changes of an empty store. */
export const fillAccounts = async (changes: AccountChanges): Promise<void> => {
  await fillPeople(changes);
  await fillMoney(changes);
  await fillInvoices(changes);
  await fillTickets(changes);
  await fillTerms(changes);
  await fillSite(changes);
};

/** Receipt with a second attempt, cached tokens and a cost. */
const RECEIPT = encodeReceiptDetail({
  ...{ requestedModel: "gpt-4", upstreamModel: "gpt-4-0613", end: "complete", isStream: false },
  ...{ durationMs: 20, firstByteMs: 12, promptTokens: 13, completionTokens: 5, cacheReadTokens: 4 },
  ...{ cacheWriteTokens: undefined, cacheWrite1hTokens: undefined, audioInputTokens: undefined },
  ...{ audioOutputTokens: undefined, reasoningTokens: 2, promptSource: "upstream" },
  ...{ completionSource: "estimate", quota: 18, shortfall: 1, keyShortfall: 0, priceVersion: 3 },
  ...{ formula: "(13 × 15) × 1", group: "vip", cost: { cost: 9000, formula: "13 × 0.5" } },
  attempts: [
    { channelId: 2, outcome: "upstream", status: 500, startedMs: 1, firstByteMs: undefined, durationMs: 4 },
    {
      channelId: 1,
      outcome: "ok",
      status: 200,
      startedMs: 6,
      firstByteMs: 12,
      durationMs: 14,
      chosenBy: "key",
    },
  ],
});

/** Requests of every outcome: two with the materials of their charge, one streamed, one refused, one of another user. */
export const releaseCharges = () => {
  const use = { shape: '["gpt-4","default"]', shortfall: 0, values: [13, 5] };
  return [
    chargeOf(HOUR + 60, 18, {
      ...{ requestId: "r-1", tokenId: 1, tokenQuota: 18, use, receipt: RECEIPT, cost: 9000 },
      ...{ promptTokens: 13, completionTokens: 5, durationMs: 20, firstByteMs: 12 },
      ...{ cacheReadTokens: 4, cacheWriteTokens: 2, isOtherModel: true },
    }),
    chargeOf(HOUR + 61, 5, {
      ...{ requestId: "r-2", tokenId: 1, tokenQuota: 5, use, isStream: true, firstByteMs: 40 },
    }),
    chargeOf(HOUR + 62, 0, {
      ...{ requestId: "r-3", tokenId: 1, count: "refused", isLogged: false, content: "", receipt: RECEIPT },
      failure: { code: "rate-limited", status: 429, firstAt: HOUR + 62, count: 1, isRepeat: false },
    }),
    chargeOf(HOUR + 3700, 7, {
      ...{
        requestId: "r-4",
        userId: 2,
        username: "bob",
        tokenId: 0,
        tokenName: "",
        modelName: "gpt-3.5-turbo",
      },
    }),
  ];
};

/** Refunds a part of the first charge, which is booked by then. */
export const refundCharge = ({ requestRefunds }: AccountChanges) =>
  requestRefunds.refund({
    ...{ requestId: "r-1", userId: 1, username: "alice", charged: 18, quota: 8, reason: "一半" },
    ...{ actorId: 1, actorName: "alice", createdAt: HOUR + 90, chargedAt: HOUR + 60 },
    ...{ keyId: 1, keyName: "laptop", channelId: 1, modelName: "gpt-4", mostOfKey: 18 },
    ...{ hasCost: true, isLogged: true },
  });

/** A request that ended after the others: its line waits in the outbox, or its charge in the journal. */
export const lateCharge = (requestId: string) =>
  chargeOf(HOUR + 7300, 3, { requestId, tokenId: 1, tokenQuota: 3 });

export const fillBodies = (bodies: Pick<BodySteps, "add">): Promise<void> =>
  bodies.add(bodyOf("r-1"), PLENTY);

type Answers = Record<string, unknown>;

const readPeople = async ({
  users,
  sessions,
  secondFactors,
  passkeys,
  signInProviders,
  managementKeys,
  tokens,
  channels,
  options,
  audit,
}: AccountQueries) => ({
  users: await users.after(0, 9),
  userPage: await users.page(0, 9),
  identity: await users.findByIdentity({ method: "github", subject: "1" }),
  accessToken: await users.accessToken(1),
  sessions: await sessions.live(NOW),
  // Sealed differently in each installation.
  secondFactor: { ...(await secondFactors.find(1)), version: undefined },
  passkeys: await passkeys.ofUser(1),
  providers: await signInProviders.all(),
  managementKey: await managementKeys.findBySecret("mk-secret-of-alice"),
  keys: await tokens.after(0, 9),
  keyPage: await tokens.page(1, 0, 9),
  channels: await channels.after(0, 9),
  channelPage: await channels.page(0, 9),
  typed: await channels.typed(),
  options: await options.all(),
  audit: await audit.page({}, 0, 9),
});

const readMoney = async ({
  redemptions,
  ledger,
  commissions,
  plans,
  orders,
  promotions,
  invoices,
  requestRefunds,
  terms,
  tickets,
}: AccountQueries) => ({
  terms: await terms.page(0, 9),
  acceptances: await terms.acceptances(2, 9),
  tickets: await tickets.page({}, 0, 9),
  ticketEntries: await tickets.entries(1, true),
  titles: await invoices.titles(2),
  invoices: await invoices.page({}, 0, 9),
  invoiceFile: await invoices.file(1),
  codes: await redemptions.page(0, 9),
  uses: await redemptions.uses(1, 0, 9),
  promotions: await promotions.page(0, 9),
  promotionUses: await promotions.uses(1, 0, 9),
  ledger: await ledger.page({}, 0, 99),
  moved: await ledger.moved(1, 0),
  commissionSummary: await commissions.summary(1),
  invited: await commissions.invited(1, 0, 9),
  commissions: await commissions.commissions(0, 9),
  payouts: await commissions.payouts({}, 0, 9),
  plans: await plans.all(),
  subscriptions: await plans.page(0, 9, {}),
  lastPeriod: await plans.lastPeriod(1),
  own: await plans.own(1),
  parked: await plans.parked(1),
  orders: await orders.page({}, 0, 9),
  refunds: await orders.refunds(2),
  refundsByHand: await orders.byHand(9),
  faults: await orders.faults(undefined, 9),
  requestRefund: await requestRefunds.find("r-1"),
  requestRefunds: await requestRefunds.ofUser(1, 0, NOW),
});

const readSite = async (queries: AccountQueries) => {
  const { notices, announcements, priceDrafts, reconciliations, budgetWindows, keyNetworks } = queries;
  return {
    siteTargets: await notices.targets("site"),
    ownTargets: await notices.targets(2),
    sent: await notices.sent("site", 0, 9),
    incidents: await notices.open(),
    remindBelow: await notices.remindBelow(2),
    announcements: await announcements.page(0, 9),
    drafts: await priceDrafts.all(),
    rehearsal: await priceDrafts.rehearsal(1),
    reconciliations: await reconciliations.page(0, 9),
    movements: await reconciliations.movements(1, 0, NOW),
    budgetWindows: await budgetWindows.open(HOUR),
    newNetworks: await keyNetworks.newUse(HOUR, HOUR, 1),
  };
};

const readLog = async ({ logs, usage, profit, health, receipts, pricedLines }: LogQueries) => ({
  lines: await logs.page({}, 0, 99),
  failures: await logs.page({ type: 5 }, 0, 9),
  usage: JSON.parse(
    await usage.pointsJson({ filter: {}, step: "day", by: "model", offsetMinutes: 0 }, NOW),
  ) as unknown,
  usageOfUser: await usage.ofUser(1, HOUR, NOW),
  profit: await profit.report(
    { filter: {}, by: "model", order: "revenue", isDescending: true, limit: 9, offsetMinutes: 0 },
    NOW,
  ),
  health: await health.ofModels(HOUR, 3600),
  channelHours: await health.ofChannels([1], HOUR),
  latency: await health.latency({ filter: {}, by: "model", step: "range", offsetMinutes: 0 }),
  receipt: await receipts.find("r-1", undefined),
  failedReceipt: await receipts.find("r-3", undefined),
  shapes: await pricedLines.shapes(),
  pricedLines: await pricedLines.lines(HOUR, NOW),
});

/** Answers of queries that read every stored record, as JSON holds them. */
export const readRecords = async (
  queries: AccountQueries & LogQueries,
  bodies: Pick<BodySteps, "find">,
): Promise<Answers> => {
  const answers = {
    ...(await readPeople(queries)),
    ...(await readMoney(queries)),
    ...(await readSite(queries)),
    ...(await readLog(queries)),
    body: await bodies.find("r-1", 1),
  };
  return JSON.parse(JSON.stringify(answers)) as Answers;
};
