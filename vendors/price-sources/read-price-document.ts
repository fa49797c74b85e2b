import { isObject } from "@tollgate/contract/values/is-object";
import { isGatewayPricing, readGatewayPricing } from "./gateway-pricing";
import { isLitellm, readLitellm } from "./litellm";
import { isModelsDev, readModelsDev } from "./models-dev";
import {
  isModelName,
  type PriceDocument,
  type PriceDocumentKind,
  type PriceOffer,
  type SourcePrice,
} from "./source-price";

/**
 * Makers that sell their models at the list price, as named by models.dev and LiteLLM: if several sellers offer a
 * model, its maker's price is used. If two makers offer it, the order decides.
 */
const MAKERS = [
  "openai",
  "text-completion-openai",
  "anthropic",
  "google",
  "gemini",
  "vertex_ai-language-models",
  "deepseek",
  "xai",
  "mistral",
  "moonshotai",
  "moonshot",
  "moonshotai-cn",
  "alibaba",
  "dashscope",
  "alibaba-cn",
  "zai",
  "zhipuai",
  "minimax",
  "minimax-cn",
  "cohere",
  "cohere_chat",
  "volcengine",
  "tencent",
  "stepfun",
  "perplexity",
  "llama",
  "amazon-bedrock",
  "bedrock_converse",
  "bedrock",
] as const;

const RANKS: ReadonlyMap<string, number> = new Map(MAKERS.map((maker, index) => [maker, index]));
const rankOf = ({ seller }: PriceOffer): number => RANKS.get(seller) ?? MAKERS.length;

const hasPrice = (offer: PriceOffer): offer is SourcePrice => "price" in offer;

/** A maker's offer, else the one price that all sellers agree on. */
const decide = (offers: readonly PriceOffer[]): PriceOffer => {
  const [best, ...others] = [...offers].sort((a, b) => rankOf(a) - rankOf(b));
  if (!best) throw new RangeError("no offer");
  if (RANKS.has(best.seller) || others.length === 0) return best;
  const priced = offers.filter(hasPrice);
  const [first] = priced;
  if (!first) return best;
  const texts = new Set(priced.map(({ price }) => JSON.stringify(price)));
  return texts.size === 1 ? first : { model: first.model, seller: "", fault: "several-prices" };
};

const SHAPES: readonly {
  kind: PriceDocumentKind;
  fits(document: Record<string, unknown>): boolean;
  read(document: Record<string, unknown>): Iterable<PriceOffer>;
}[] = [
  { kind: "gateway", fits: isGatewayPricing, read: readGatewayPricing },
  { kind: "models.dev", fits: isModelsDev, read: readModelsDev },
  { kind: "litellm", fits: isLitellm, read: readLitellm },
];

/** Far more than any list has, and a bound on the work. */
const MAX_OFFERS = 20_000;

/** Maximum length of a seller's name, which is repeated for each model. */
const MAX_SELLER = 60;

/** After so many offers others get a turn. */
const OFFERS_A_TURN = 200;

/**
 * Reads the prices of a document in one of the known formats, from an untrusted source: implausible rows are refused
 * one by one.
 * @param value parsed JSON.
 * @param yieldToOthers lets waiting work run first: a list is thousands of prices.
 * @returns undefined when the format is unknown.
 */
export const readPriceDocument = async (
  value: unknown,
  yieldToOthers: () => Promise<void>,
): Promise<PriceDocument | undefined> => {
  if (!isObject(value)) return undefined;
  const shape = SHAPES.find(({ fits }) => fits(value));
  if (!shape) return undefined;
  const byModel = new Map<string, PriceOffer[]>();
  let count = 0;
  for (const offer of shape.read(value)) {
    // Counts entries without a usable name as well, because they cost time to read.
    count += 1;
    if (count > MAX_OFFERS) break;
    if (count % OFFERS_A_TURN === 0) await yieldToOthers();
    if (!isModelName(offer.model)) continue;
    const known = byModel.get(offer.model);
    if (known) known.push(offer);
    else byModel.set(offer.model, [offer]);
  }
  const document: PriceDocument = { kind: shape.kind, prices: [], refused: [] };
  for (const offers of byModel.values()) {
    const decided = decide(offers);
    const offer = { ...decided, seller: decided.seller.slice(0, MAX_SELLER) };
    if (hasPrice(offer)) document.prices.push(offer);
    else document.refused.push(offer);
  }
  const byName = (a: PriceOffer, b: PriceOffer): number => (a.model < b.model ? -1 : 1);
  document.prices.sort(byName);
  document.refused.sort(byName);
  return document;
};
