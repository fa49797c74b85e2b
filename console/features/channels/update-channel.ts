import { type Channel, changeChannel, getChannel } from "@tollgate/contract/api/channels";
import type { CallOf } from "@tollgate/contract/resource/endpoint";
import { callEndpoint } from "../../lib/call-endpoint";
import { useRepeatReads } from "../../lib/use-endpoint";
import { useMutation } from "../../lib/use-mutation";
import type { AtField } from "../../lib/use-refusals";

interface ChannelUpdate {
  id: number;
  /** The body for the channel as it is stored now. @throws RefusedError to send none */
  toBody: (now: Channel) => CallOf<typeof changeChannel>["body"];
}

/** Saves a form of a channel. The channel is read again first: outdated values would revert other administrators' changes. */
export const useUpdateChannel = ({ atField }: AtField) => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationFn: async ({ id, toBody }: ChannelUpdate) => {
      const now = await callEndpoint(getChannel, { params: { id } });
      return callEndpoint(changeChannel, { body: toBody(now) });
    },
    onSuccess: () => repeatReads(changeChannel),
    meta: { atField },
  });
};
