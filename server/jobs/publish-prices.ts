import type { PriceDrafts } from "../rehearsal/price-drafts";
import type { Job } from "./start-job";

/** Maximum delay before a draft takes effect. */
const EVERY_MS = 5000;

/** Makes drafts of prices hold when their time has come. */
export const publishingPrices = (drafts: Pick<PriceDrafts, "publishDue">): Job => ({
  name: "publishing-prices",
  everyMs: EVERY_MS,
  run: () => drafts.publishDue(),
});
