import { queryOptions } from "@tanstack/react-query";
import {
  getInvitation,
  type InvitationWire,
  listCommissions,
  listInvited,
  listOwnPayouts,
  listPayouts,
} from "@tollgate/contract/api/invitations";
import { getInviteCode } from "@tollgate/contract/api/own-account";
import { HttpError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";

/** The user's commissions and invite code; undefined if the server has no commissions. */
interface InvitationAnswer {
  invitation: InvitationWire | undefined;
  code: string;
}

export const invitationQuery = queryOptions({
  queryKey: [getInvitation.reads, getInvitation.path],
  queryFn: async ({ signal }): Promise<InvitationAnswer> => {
    const code = (await callEndpoint(getInviteCode, {}, signal)) ?? "";
    try {
      return { invitation: await callEndpoint(getInvitation, {}, signal), code };
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return { invitation: undefined, code };
      throw error;
    }
  },
  staleTime: 0,
  meta: { silent: true },
});

const extra = { isExtra: true };

export const invitedPages = endpointPages(listInvited, {}, extra);
export const queriedInvited = endpointQueried(listInvited, {}, extra);

/** The user's own requests, or those of all users for administrators. */
const payoutsOf = (isOwn: boolean) => (isOwn ? listOwnPayouts : listPayouts);

export const payoutPages = (isOwn: boolean) => endpointPages(payoutsOf(isOwn), {}, extra);
export const queriedPayouts = (isOwn: boolean) => endpointQueried(payoutsOf(isOwn), {}, extra);

export const commissionPages = endpointPages(listCommissions, {}, extra);
export const queriedCommissions = endpointQueried(listCommissions, {}, extra);
