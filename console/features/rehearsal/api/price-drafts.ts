import { queryOptions, useQueryClient } from "@tanstack/react-query";
import {
  type ChangePriceDraft,
  type CurrentPrices,
  currentPricesSchema,
  type NewPriceDraft,
  type PriceDraft,
  type PriceDraftSummary,
  type PublishPriceDraft,
  priceDraftSchema,
  priceDraftSummariesSchema,
  type Rehearsal,
  rehearsalSchema,
  type StartRehearsal,
} from "@tollgate/contract/management/price-draft";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

const PATH = "/api/price-drafts";

/** GET /api/price-drafts, the newest first. */
export const draftsQuery = queryOptions({
  queryKey: ["price-drafts"],
  meta: { silent: true },
  queryFn: async ({ signal }): Promise<PriceDraftSummary[]> =>
    priceDraftSummariesSchema.parse((await callApi("GET", PATH, { signal })).data),
});

/** GET /api/price-drafts/:id */
export const draftQuery = (id: number) =>
  queryOptions({
    queryKey: ["price-drafts", id],
    meta: { silent: true },
    queryFn: async ({ signal }): Promise<PriceDraft> =>
      priceDraftSchema.parse((await callApi("GET", `${PATH}/${id}`, { signal })).data),
  });

/** GET /api/price-drafts/current: the options that prices follow from. */
export const currentPricesQuery = queryOptions({
  queryKey: ["price-drafts", "current"],
  meta: { silent: true },
  queryFn: async ({ signal }): Promise<CurrentPrices> =>
    currentPricesSchema.parse((await callApi("GET", `${PATH}/current`, { signal })).data),
});

/** How often a running rehearsal is asked for, in milliseconds. */
const ASK_MS = 400;

/** GET /api/price-drafts/:id/rehearsal, again and again while it runs; null before the first one. */
export const rehearsalQuery = (id: number) =>
  queryOptions({
    queryKey: ["price-drafts", id, "rehearsal"],
    meta: { silent: true },
    queryFn: async ({ signal }): Promise<Rehearsal | null> => {
      const { data } = await callApi("GET", `${PATH}/${id}/rehearsal`, { signal });
      return data == null ? null : rehearsalSchema.parse(data);
    },
    refetchInterval: ({ state }) => (state.data?.state === "running" ? ASK_MS : false),
  });

/** A call that changes drafts: all that is shown of them is asked for again. */
const useDraftCall = <Asked, Answered>(call: (asked: Asked) => Promise<Answered>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () =>
      Promise.all(
        ["price-drafts", "options"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      ),
  });
};

const draftOf = ({ data }: { data?: unknown }): PriceDraft => priceDraftSchema.parse(data);

export const useCreateDraft = () =>
  useDraftCall(async (body: NewPriceDraft) => draftOf(await callApi("POST", PATH, { body })));

export const useChangeDraft = (id: number) =>
  useDraftCall(async (body: ChangePriceDraft) => draftOf(await callApi("PUT", `${PATH}/${id}`, { body })));

export const usePublishDraft = (id: number) =>
  useDraftCall(async (body: PublishPriceDraft) =>
    draftOf(await callApi("POST", `${PATH}/${id}/publish`, { body })),
  );

export const useUnscheduleDraft = (id: number) =>
  useDraftCall(async (body: PublishPriceDraft) =>
    draftOf(await callApi("POST", `${PATH}/${id}/unschedule`, { body })),
  );

/** Discards an open draft, or deletes one that is published or discarded. */
export const useDeleteDraft = () =>
  useDraftCall(async ({ id, revision, state }: PriceDraftSummary) => {
    await callApi("DELETE", `${PATH}/${id}`, {
      query: { revision: state === "draft" ? revision : undefined },
    });
  });

export const useStartRehearsal = (id: number) =>
  useDraftCall(async (body: StartRehearsal) => {
    await callApi("POST", `${PATH}/${id}/rehearsal`, { body });
  });

export const useCancelRehearsal = (id: number) =>
  useDraftCall(async (_: undefined) => {
    await callApi("DELETE", `${PATH}/${id}/rehearsal`);
  });
