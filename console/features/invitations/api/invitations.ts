import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { getSelf } from "@tollgate/contract/api/own-account";
import {
  type CommissionWire,
  type InvitationWire,
  type InvitedWire,
  type PayoutWire,
  readCommissions,
  readInvitation,
  readInvited,
  readPayouts,
} from "@tollgate/contract/management/invitation";
import { callApi, HttpError } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";
import { useMutation } from "../../../lib/use-mutation";

const INVITATIONS = ["invitations"];

/** What one has, and one's invite code; undefined where the server has no commissions. */
interface InvitationAnswer {
  invitation: InvitationWire | undefined;
  code: string;
}

/** GET /api/invitation/self and GET /api/user/aff */
export const invitationQuery = queryOptions({
  queryKey: [...INVITATIONS, "self"],
  queryFn: async ({ signal }): Promise<InvitationAnswer> => {
    const { data } = await callApi("GET", "/api/user/aff", { signal });
    const code = typeof data === "string" ? data : "";
    try {
      const own = await callApi("GET", "/api/invitation/self", { signal });
      return { invitation: readInvitation(own.data), code };
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return { invitation: undefined, code };
      throw error;
    }
  },
  staleTime: 0,
  meta: { silent: true },
});

/** GET /api/invitation/self/invited */
export const invitedPages = growingList<InvitedWire>(
  [...INVITATIONS, "invited"],
  async (page, signal) =>
    readInvited((await callApi("GET", "/api/invitation/self/invited", { query: { p: page }, signal })).data),
  { isExtra: true },
);

/** GET /api/invitation/self/payouts, or for administrators GET /api/invitation/payouts */
export const payoutPages = (isOwn: boolean) =>
  growingList<PayoutWire>(
    [...INVITATIONS, "payouts", isOwn],
    async (page, signal) =>
      readPayouts(
        (
          await callApi("GET", isOwn ? "/api/invitation/self/payouts" : "/api/invitation/payouts", {
            query: { p: page },
            signal,
          })
        ).data,
      ),
    { isExtra: true },
  );

/** GET /api/invitation/commissions */
export const commissionPages = growingList<CommissionWire>(
  [...INVITATIONS, "commissions"],
  async (page, signal) =>
    readCommissions(
      (await callApi("GET", "/api/invitation/commissions", { query: { p: page }, signal })).data,
    ),
  { isExtra: true },
);

/** POST /api/invitation/self/transfer or /payout */
export const useMoveCommission = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ to, ...body }: { to: "transfer" | "payout"; quota: number; note?: string }) =>
      callApi("POST", `/api/invitation/self/${to}`, { body }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: INVITATIONS }),
        queryClient.invalidateQueries({ queryKey: [getSelf.reads, getSelf.path] }),
      ]),
  });
};

/** POST /api/invitation/payouts/{id}/paid or /decline */
export const useDecidePayout = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, as, reason }: { id: number; as: "paid" | "decline"; reason: string }) =>
      callApi("POST", `/api/invitation/payouts/${id}/${as}`, { body: { reason } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: INVITATIONS }),
  });
};
