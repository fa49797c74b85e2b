import {
  acceptedPricesSchema,
  acceptPricesBodySchema,
  lockPriceBodySchema,
  MAX_DOCUMENT_BYTES,
  MAX_MISSING,
  MAX_OFFERING,
  missingPricesSchema,
  pricePreviewBodySchema,
  pricePreviewSchema,
  readPricePreview,
} from "../management/price-sync";
import { endpoint } from "../resource/endpoint";
import { plain } from "../resource/resource";

/* Prices beside those of published lists, and models without any; beyond the contract. */

/** A document travels as a text of JSON: its quotes take a second byte. */
const BODY_LIMIT_BYTES = 1.5 * MAX_DOCUMENT_BYTES;

export const previewPrices = endpoint({
  method: "POST",
  path: "/api/prices/preview",
  guard: "admin",
  area: "prices",
  summary:
    "Compares the prices with those of a published list; changes nothing. Only root may name an address",
  body: pricePreviewBodySchema,
  data: plain(pricePreviewSchema, readPricePreview),
  bodyLimitBytes: BODY_LIMIT_BYTES,
});

export const takePrices = endpoint({
  method: "POST",
  path: "/api/prices/accept",
  guard: "root",
  summary: "Accepts prices of a preview into the option ModelPrice, all or none",
  body: acceptPricesBodySchema,
  data: plain(acceptedPricesSchema),
  changes: ["missing-prices", "options", "profit"],
});

export const setPriceLock = endpoint({
  method: "PUT",
  path: "/api/prices/lock",
  guard: "root",
  summary: "Locks a model's price, so that no list changes it, or unlocks it",
  body: lockPriceBodySchema,
  changes: ["options"],
});

export const listMissingPrices = endpoint({
  method: "GET",
  path: "/api/prices/missing",
  guard: "admin",
  area: "prices",
  summary: `Offered models without a price, whose requests are refused: at most ${MAX_MISSING}, by name, with up to ${MAX_OFFERING} of their channels. \`more_models\` and \`more_channels\` are the numbers of the others`,
  query: { channel: "Only models that the channel with this id offers." },
  data: plain(missingPricesSchema),
  reads: "missing-prices",
});
