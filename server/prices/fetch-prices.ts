import type { PricePreviewBody } from "@tollgate/contract/management/price-sync";
import { MAX_DOCUMENT_BYTES } from "@tollgate/contract/management/price-sync";
import type { Decimal } from "@tollgate/contract/values/decimal";
import { JSON_BOUNDS, type JsonBounds } from "@tollgate/protocols/shared/json/scan-json";
import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import { askJson, parseJsonAnswer } from "@tollgate/relay/transport/guarded-fetch";
import { readGatewayGroups } from "@tollgate/vendors/price-sources/gateway-groups";
import { readPriceDocument } from "@tollgate/vendors/price-sources/read-price-document";
import type { PriceDocument } from "@tollgate/vendors/price-sources/source-price";
import { Failure } from "../management-api/failure";
import { cataloguePrices } from "./catalogue-prices";

/** Addresses of the published lists. */
const ADDRESSES = {
  "models.dev": "https://models.dev/api.json",
  litellm: "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json",
} as const;

/** Path of a gateway's price list. */
const GATEWAY_PATH = "/api/pricing";

const DOCUMENT_BOUNDS: JsonBounds = {
  ...JSON_BOUNDS,
  maxDepth: 32,
  maxValues: 2_000_000,
  maxNames: 2_000_000,
  maxLooseBytes: MAX_DOCUMENT_BYTES,
};

const TIMEOUT_MS = 30_000;

/** The address that a person typed, at which prices are. @throws Failure */
const readAddress = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (!isUsable) throw new Failure("prices-address-invalid");
  if (url.pathname === "/" && url.search === "") url.pathname = GATEWAY_PATH;
  url.hash = "";
  return url.href;
};

const download = async (address: string, proxy = ""): Promise<unknown> => {
  const request = {
    headers: { accept: "application/json" },
    maxBytes: MAX_DOCUMENT_BYTES,
    bounds: DOCUMENT_BOUNDS,
    proxy,
  };
  const answer = await askJson(address, request, TIMEOUT_MS);
  if (answer.kind === "unreachable") throw new Failure("prices-unreachable");
  if (answer.kind === "status") throw new Failure("prices-status", { status: answer.status });
  return answer.kind === "json" ? answer.value : undefined;
};

const parseDocument = (text: string): unknown => {
  const answer = parseJsonAnswer(Buffer.from(text), DOCUMENT_BOUNDS);
  return answer.kind === "json" ? answer.value : undefined;
};

/**
 * The prices of a source.
 * @param yieldToOthers yields to other waiting work.
 * @throws Failure when it cannot be reached or read.
 */
export const fetchPrices = async (
  { source, url = "", document = "" }: Pick<PricePreviewBody, "source" | "url" | "document">,
  nowMs: number,
  yieldToOthers: () => Promise<void>,
): Promise<Pick<PriceDocument, "prices" | "refused">> => {
  if (source === "catalogue") return cataloguePrices(nowMs);
  const value =
    source === "document"
      ? parseDocument(document)
      : await download(source === "url" ? readAddress(url) : ADDRESSES[source]);
  const read = await readPriceDocument(value, yieldToOthers);
  if (!read) throw new Failure("prices-unreadable");
  return read;
};

/** A gateway's prices of its models, and its groups' ratios. */
export interface GatewayPrices extends Pick<PriceDocument, "prices" | "refused"> {
  groups: { name: string; ratio: Decimal }[];
}

/**
 * The price list of a channel's upstream, where that is a gateway that publishes one. Sent without the channel's key,
 * which a price list does not need.
 * @throws Failure when it cannot be reached or read.
 */
export const fetchGatewayPrices = async (
  { origin, proxy }: Pick<UpstreamTarget, "origin" | "proxy">,
  yieldToOthers: () => Promise<void>,
): Promise<GatewayPrices> => {
  const value = await download(`${origin.replace(/^ws/, "http")}${GATEWAY_PATH}`, proxy);
  const read = await readPriceDocument(value, yieldToOthers);
  if (read?.kind !== "gateway") throw new Failure("prices-unreadable");
  return { ...read, groups: readGatewayGroups(value) };
};
