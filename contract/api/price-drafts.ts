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
  area: "prices",
  summary:
    "Drafts of prices, the newest first, each with the number of its changed entries, and the number of those that were changed elsewhere since",
  data: plain(priceDraftSummariesSchema),
  reads: "price-drafts",
});

export const getCurrentPrices = endpoint({
  method: "GET",
  path: "/api/price-drafts/current",
  guard: "admin",
  area: "prices",
  summary: "The present values of the options that decide prices and that a draft changes",
  data: plain(currentPricesSchema),
  reads: "price-drafts",
});

export const createPriceDraft = endpoint({
  method: "POST",
  path: "/api/price-drafts",
  guard: "admin",
  area: "prices",
  summary: "Creates a draft of prices, which changes nothing until it is published",
  body: newPriceDraftSchema,
  data: plain(priceDraftSchema),
  changes: ["price-drafts", "options"],
});

export const getPriceDraft = endpoint({
  method: "GET",
  path: "/api/price-drafts/:id",
  guard: "admin",
  area: "prices",
  summary: "A draft of prices: its changes, the values before, and the changes elsewhere since",
  data: plain(priceDraftSchema),
  reads: "price-drafts",
});

export const changePriceDraft = endpoint({
  method: "PUT",
  path: "/api/price-drafts/:id",
  guard: "admin",
  area: "prices",
  summary:
    "Changes a draft that is neither scheduled nor published; with `rebase` it is compared with the present prices",
  body: changePriceDraftSchema,
  data: plain(priceDraftSchema),
  changes: ["price-drafts", "options"],
});

export const deletePriceDraft = endpoint({
  method: "DELETE",
  path: "/api/price-drafts/:id",
  guard: "admin",
  area: "prices",
  summary: "Discards a draft (query `revision`), or deletes one that was published or discarded",
  query: { revision: "Which one was seen; left out to delete one that was published or discarded" },
  changes: ["price-drafts", "options"],
});

export const publishPriceDraft = endpoint({
  method: "POST",
  path: `/api/price-drafts/:id/publish`,
  guard: "root",
  summary:
    "Publishes all changes of a draft, now or from `holds_from` on; refused if the same entries were changed meanwhile",
  body: publishPriceDraftSchema,
  data: plain(priceDraftSchema),
  changes: ["price-drafts", "options"],
});

export const unschedulePriceDraft = endpoint({
  method: "POST",
  path: `/api/price-drafts/:id/unschedule`,
  guard: "root",
  summary: "Unschedules a draft, so that it can be changed, or published at another time",
  body: publishPriceDraftSchema,
  data: plain(priceDraftSchema),
  changes: ["price-drafts", "options"],
});

export const getRehearsal = endpoint({
  method: "GET",
  path: `/api/price-drafts/:id/rehearsal`,
  guard: "admin",
  area: "prices",
  summary: "The progress and the result of a draft's rehearsal; null before the first one",
  data: plain(z.nullable(rehearsalSchema)),
  reads: "price-drafts",
});

export const startRehearsal = endpoint({
  method: "POST",
  path: `/api/price-drafts/:id/rehearsal`,
  guard: "admin",
  area: "prices",
  summary:
    "Starts the rehearsal of a draft over the usage from `from` to `to` (unix seconds, `to` excluded); dated prices count as of each call, or as of `as_of`",
  body: startRehearsalSchema,
  data: plain(rehearsalSchema),
  changes: ["price-drafts"],
});

export const cancelRehearsal = endpoint({
  method: "DELETE",
  path: `/api/price-drafts/:id/rehearsal`,
  guard: "admin",
  area: "prices",
  summary: "Cancels the running rehearsal of a draft",
  changes: ["price-drafts"],
});

export const exportRehearsal = endpoint({
  method: "GET",
  path: "/api/price-drafts/:id/rehearsal/export",
  guard: "admin",
  area: "prices",
  summary: "The result of a draft's last rehearsal, as a file",
  query: { ...FORMAT_PARAMETER, by: "The kind of rows: `models` (default), `groups` or `users`." },
  isFile: true,
});
