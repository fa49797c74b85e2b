import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { listChannels } from "@tollgate/contract/api/channels";
import {
  balanceMovementSchema,
  billColumnsSchema,
  type ReconcileBalanceBody,
  type ReconcileBody,
  type ReconciliationSummary,
  reconciliationSchema,
  reconciliationSummarySchema,
} from "@tollgate/contract/management/reconciliation";
import * as z from "zod/mini";
import { callApi } from "../../../lib/api-client";
import { callEndpoint } from "../../../lib/call-endpoint";
import { growingList } from "../../../lib/growing-list";
import { useMutation } from "../../../lib/use-mutation";

const KEY = ["reconciliations"];

/** GET /api/reconciliation */
export const reconciliationPages = growingList<ReconciliationSummary>(
  KEY,
  async (page, signal) =>
    z
      .array(reconciliationSummarySchema)
      .parse((await callApi("GET", "/api/reconciliation", { query: { p: page }, signal })).data),
  { isExtra: true },
);

/** GET /api/reconciliation/{id} */
export const reconciliationQuery = (id: number) =>
  queryOptions({
    queryKey: [...KEY, id],
    queryFn: async ({ signal }) =>
      reconciliationSchema.parse((await callApi("GET", `/api/reconciliation/${id}`, { signal })).data),
    meta: { silent: true },
  });

/** GET /api/reconciliation/movements */
export const movementsQuery = (channel: number, from: number, to: number) =>
  queryOptions({
    queryKey: [...KEY, "movements", channel, from, to],
    queryFn: async ({ signal }) =>
      z.array(balanceMovementSchema).parse(
        (
          await callApi("GET", "/api/reconciliation/movements", {
            query: { channel, start_timestamp: from, end_timestamp: to },
            signal,
          })
        ).data,
      ),
    meta: { silent: true },
  });

const PAGES = 20;

/** The channels to choose from, the newest first; of very many the newest alone. */
export const channelChoicesQuery = queryOptions({
  queryKey: ["channel-choices"],
  queryFn: async ({ signal }) => {
    const channels: { id: number; name: string }[] = [];
    for (let p = 0; p < PAGES; p += 1) {
      const page = await callEndpoint(listChannels, { query: { p } }, signal);
      channels.push(...page.map(({ id, name }) => ({ id, name })));
      if (page.length === 0) break;
    }
    return [...new Map(channels.map((channel) => [channel.id, channel])).values()];
  },
  meta: { silent: true },
});

/** POST /api/reconciliation/columns */
export const useBillColumns = () =>
  useMutation({
    mutationFn: async (file: string) =>
      billColumnsSchema.parse(
        (await callApi("POST", "/api/reconciliation/columns", { body: { file } })).data,
      ),
  });

/** What is sent for a comparison: of a file, or of the balance's movement. */
export type Comparison =
  | { source: "csv"; body: ReconcileBody }
  | { source: "balance"; body: ReconcileBalanceBody };

/** POST /api/reconciliation, or /api/reconciliation/balance. */
export const useReconcile = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ source, body }: Comparison) => {
      const path = source === "csv" ? "/api/reconciliation" : "/api/reconciliation/balance";
      return reconciliationSchema.parse((await callApi("POST", path, { body })).data);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
};

/** DELETE /api/reconciliation/{id} */
export const useDeleteReconciliation = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE", `/api/reconciliation/${id}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
};

/** POST /api/reconciliation/top_up */
export const useUpstreamTopUp = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { channel: number; at: number; amount: number; note: string }) =>
      callApi("POST", "/api/reconciliation/top_up", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
};
