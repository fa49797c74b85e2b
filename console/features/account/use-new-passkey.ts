import type {
  addPasskey,
  addPasskeyAtSignIn,
  beginPasskey,
  beginPasskeyAtSignIn,
} from "@tollgate/contract/api/passkeys";
import type { CallOf, DataOf, Endpoint } from "@tollgate/contract/resource/endpoint";
import { callEndpoint } from "../../lib/call-endpoint";
import { useRepeatReads } from "../../lib/use-endpoint";
import type { Mistakes } from "../../lib/use-mistakes";
import { useMutation } from "../../lib/use-mutation";

const loadCeremony = () => import("./passkey-ceremony");

/**
 * Makes a passkey: a challenge, the browser's answer, and the call that stores it. Its variable is the name.
 */
export const useNewPasskey = <Add extends typeof addPasskey | typeof addPasskeyAtSignIn>(
  begin: typeof beginPasskey | typeof beginPasskeyAtSignIn,
  add: Add,
  refused?: Mistakes,
) => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationFn: async (name: string): Promise<DataOf<Add>> => {
      const [{ options }, { createPasskey }] = await Promise.all([callEndpoint(begin, {}), loadCeremony()]);
      const made = await createPasskey(options.publicKey);
      const call = { body: name === "" ? made : { ...made, name } } as CallOf<Endpoint>;
      return callEndpoint<Endpoint>(add, call) as Promise<DataOf<Add>>;
    },
    onSuccess: () => repeatReads(add),
    meta: { atField: refused?.atField },
  });
};
