import * as z from "zod/mini";
import {
  changePriceDraftSchema,
  currentPricesSchema,
  newPriceDraftSchema,
  priceDraftSchema,
  priceDraftSummariesSchema,
  publishPriceDraftSchema,
  rehearsalSchema,
  startRehearsalSchema,
} from "../management/price-draft";
import { endpoint } from "../resource/endpoint";
import { FORMAT_PARAMETER } from "../resource/file-parameters";
import { plain } from "../resource/resource";

/* Drafts of prices, their rehearsals, and publishing them; beyond the contract. */

export const listPriceDrafts = endpoint({
  method: "GET",
  path: "/api/price-drafts",
  guard: "admin",
  summary:
    "Drafts of prices, the newest first: how many entries each changes, and how many of these were changed elsewhere since",
  data: plain(priceDraftSummariesSchema),
  reads: "price-drafts",
});

export const getCurrentPrices = endpoint({
  method: "GET",
  path: "/api/price-drafts/current",
  guard: "admin",
  summary: "The options that prices follow from, as they are now: what a draft changes",
  data: plain(currentPricesSchema),
  reads: "price-drafts",
});

export const createPriceDraft = endpoint({
  method: "POST",
  path: "/api/price-drafts",
  guard: "admin",
  summary: "Makes a draft of prices, which changes nothing until it is published",
  body: newPriceDraftSchema,
  data: plain(priceDraftSchema),
  changes: ["price-drafts", "options"],
});

export const getPriceDraft = endpoint({
  method: "GET",
  path: "/api/price-drafts/:id",
  guard: "admin",
  summary: "A draft of prices whole: what it changes, what that was, and what was changed elsewhere since",
  data: plain(priceDraftSchema),
  reads: "price-drafts",
});

export const changePriceDraft = endpoint({
  method: "PUT",
  path: "/api/price-drafts/:id",
  guard: "admin",
  summary:
    "Changes a draft that is neither scheduled nor published; with `rebase` the prices of now are what it is compared with",
  body: changePriceDraftSchema,
  data: plain(priceDraftSchema),
  changes: ["price-drafts", "options"],
});

export const deletePriceDraft = endpoint({
  method: "DELETE",
  path: "/api/price-drafts/:id",
  guard: "admin",
  summary: "Discards a draft (query `revision`), or deletes one that was published or discarded",
  query: { revision: "Which one was seen; left out to delete one that was published or discarded" },
  changes: ["price-drafts", "options"],
});

export const publishPriceDraft = endpoint({
  method: "POST",
  path: `/api/price-drafts/:id/publish`,
  guard: "root",
  summary:
    "Makes all that a draft changes the prices, now or from `holds_from` on; refused where the same was changed meanwhile",
  body: publishPriceDraftSchema,
  data: plain(priceDraftSchema),
  changes: ["price-drafts", "options"],
});

export const unschedulePriceDraft = endpoint({
  method: "POST",
  path: `/api/price-drafts/:id/unschedule`,
  guard: "root",
  summary: "Takes a scheduled draft back, to be changed or published at another time",
  body: publishPriceDraftSchema,
  data: plain(priceDraftSchema),
  changes: ["price-drafts", "options"],
});

export const getRehearsal = endpoint({
  method: "GET",
  path: `/api/price-drafts/:id/rehearsal`,
  guard: "admin",
  summary: "How far the rehearsal of a draft is, and its result; null before the first one",
  data: plain(z.nullable(rehearsalSchema)),
  reads: "price-drafts",
});

export const startRehearsal = endpoint({
  method: "POST",
  path: `/api/price-drafts/:id/rehearsal`,
  guard: "admin",
  summary:
    "Begins to run a draft over the usage from `from` to `to` (unix seconds, `to` excluded); prices with dates as of each call, or as of `as_of`",
  body: startRehearsalSchema,
  data: plain(rehearsalSchema),
  changes: ["price-drafts"],
});

export const cancelRehearsal = endpoint({
  method: "DELETE",
  path: `/api/price-drafts/:id/rehearsal`,
  guard: "admin",
  summary: "Cancels the rehearsal of a draft that is running",
  changes: ["price-drafts"],
});

export const exportRehearsal = endpoint({
  method: "GET",
  path: "/api/price-drafts/:id/rehearsal/export",
  guard: "admin",
  summary: "What the last rehearsal of a draft of prices found, as a file",
  query: { ...FORMAT_PARAMETER, by: "What rows are: `models` (without it), `groups` or `users`." },
  isFile: true,
});
