import * as z from "zod/mini";

/** An amount of quota as the lines of an account say it (contract section 1.4): quota points, or US dollars with six digits. */
const amountSchema = z.union([z.object({ usd: z.string() }), z.object({ quota: z.number() })]);
export type Amount = z.infer<typeof amountSchema>;

/** How the site shows amounts of quota. */
export interface AmountUnit {
  /** Quota points per US dollar. */
  quotaPerUnit: number;
  isCurrency: boolean;
}

/** @param quotaPerUnit quota points per US dollar. */
export const amountOf = (quota: number, quotaPerUnit: number, isCurrency: boolean): Amount =>
  isCurrency ? { usd: (quota / quotaPerUnit).toFixed(6) } : { quota };

const classed = { count: z.number(), weight: z.string() };

/**
 * Phrases of a log line. Below the server a line is a list of these; the server puts it into the reader's language. The
 * code that makes a phrase writes its fields in this order, which is that of the stored JSON. Ratios and prices are
 * decimals as receipts write them.
 */
export const logPhraseSchema = z.discriminatedUnion("code", [
  // Prices.
  z.object({ code: z.literal("ratios"), model: z.string(), group: z.string() }),
  /** USD per million tokens. */
  z.object({ code: z.literal("money"), input: z.string(), output: z.string(), group: z.string() }),
  z.object({ code: z.literal("per-call"), usd: z.string(), group: z.string() }),
  // Charges other than by the usual two prices.
  z.object({ code: z.literal("long-context"), tokens: z.number() }),
  z.object({ code: z.literal("cache-read"), ...classed }),
  z.object({ code: z.literal("cache-write-5m"), ...classed }),
  z.object({ code: z.literal("cache-write-1h"), ...classed }),
  z.object({ code: z.literal("audio-input"), ...classed }),
  z.object({ code: z.literal("audio-output"), ...classed }),
  z.object({ code: z.literal("service-tier"), tier: z.string(), ratio: z.string() }),
  /** USD for a thousand calls. */
  z.object({ code: z.literal("tool-calls"), tool: z.string(), calls: z.number(), usd: z.string() }),
  // Units that are no tokens.
  z.object({ code: z.literal("speech"), characters: z.number() }),
  z.object({ code: z.literal("images"), count: z.number(), ratio: z.string() }),
  z.object({ code: z.literal("sized-images"), count: z.number(), size: z.string(), ratio: z.string() }),
  z.object({ code: z.literal("recording"), seconds: z.number() }),
  z.object({ code: z.literal("searches"), count: z.number() }),
  // Other explanations of a charge.
  /** The group by which a request went, of a key or user that has several. */
  z.object({ code: z.literal("by-group"), group: z.string() }),
  /** The client's name of the model, an alias of its key or user. */
  z.object({ code: z.literal("by-alias"), name: z.string() }),
  /** A budget was used up: this model answered, by the choice of the key or the site. */
  z.object({ code: z.literal("at-budget"), model: z.string() }),
  z.object({ code: z.literal("price-rule"), name: z.string() }),
  z.object({ code: z.literal("counted-here") }),
  z.object({ code: z.literal("left-and-received") }),
  z.object({ code: z.literal("left-and-drained") }),
  z.object({ code: z.literal("stopped") }),
  z.object({ code: z.literal("held-up") }),
  z.object({ code: z.literal("user-shortfall"), quota: z.number() }),
  z.object({ code: z.literal("key-shortfall"), quota: z.number() }),
  z.object({ code: z.literal("charge-taken-back") }),
  /** An administrator refunded the request: the line's quota is below 0. */
  z.object({ code: z.literal("request-refunded") }),
  // Lines about accounts.
  z.object({ code: z.literal("new-user-gift"), amount: amountSchema }),
  z.object({ code: z.literal("invitee-gift"), amount: amountSchema }),
  z.object({ code: z.literal("inviter-gift"), amount: amountSchema }),
  z.object({ code: z.literal("redeemed"), amount: amountSchema }),
  /** `paid`: money and its currency, "12.34 CNY". */
  z.object({ code: z.literal("bought"), amount: amountSchema, paid: z.string() }),
  z.object({ code: z.literal("purchase-refunded"), amount: amountSchema, paid: z.string() }),
  z.object({ code: z.literal("refund-undone"), amount: amountSchema }),
  z.object({ code: z.literal("quota-changed"), before: amountSchema, after: amountSchema }),
  /** An administrator added quota, or took it. */
  z.object({ code: z.literal("quota-added"), amount: amountSchema }),
  z.object({ code: z.literal("quota-taken"), amount: amountSchema }),
  // Movements of plans.
  z.object({ code: z.literal("plan-bought"), plan: z.string(), amount: amountSchema }),
  z.object({ code: z.literal("plan-granted"), plan: z.string(), amount: amountSchema }),
  z.object({ code: z.literal("plan-expired"), plan: z.string(), amount: amountSchema }),
  z.object({ code: z.literal("plan-parked"), plan: z.string(), amount: amountSchema }),
  z.object({ code: z.literal("plan-unparked"), plan: z.string(), amount: amountSchema }),
]);
export type LogPhrase = z.infer<typeof logPhraseSchema>;

/** Fields that are prices: decimals in US dollars. */
export const PRICES_OF_PHRASES: Readonly<Partial<Record<LogPhrase["code"], readonly string[]>>> = {
  money: ["input", "output"],
  "per-call": ["usd"],
  "tool-calls": ["usd"],
};
export const logPhrasesSchema = z.array(logPhraseSchema);
export type LogPhraseCode = LogPhrase["code"];

/** Phrases of a charged answer that its client did not receive whole (docs/reference/interruptions.md). */
export const INTERRUPTION_CODES = [
  "left-and-received",
  "left-and-drained",
  "stopped",
  "held-up",
] as const satisfies readonly LogPhraseCode[];
export type InterruptionCode = (typeof INTERRUPTION_CODES)[number];

/** Content of a line: phrases, or the plain text of a line that came from elsewhere. */
export type LogContent = readonly LogPhrase[] | string;
