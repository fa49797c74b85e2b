import type { beginPasskey, beginPasskeyAtSignIn, NewPasskeyBody } from "@tollgate/contract/api/passkeys";
import type { Endpoint } from "@tollgate/contract/resource/endpoint";
import { callEndpoint } from "../../lib/call-endpoint";
import { useRepeatReads } from "../../lib/use-endpoint";
import type { Mistakes } from "../../lib/use-mistakes";
import { useMutation } from "../../lib/use-mutation";

const loadCeremony = () => import("./passkey-ceremony");

/**
 * Makes a passkey: a challenge, the browser's answer, and the call that stores it. Its variable is the name.
 * @param add the call, whose reads are repeated. @param send makes that call.
 */
export const useNewPasskey = <Data>(
  begin: typeof beginPasskey | typeof beginPasskeyAtSignIn,
  add: Pick<Endpoint, "changes">,
  send: (body: NewPasskeyBody) => Promise<Data>,
  refused?: Mistakes,
) => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationFn: async (name: string): Promise<Data> => {
      const [{ options }, { createPasskey }] = await Promise.all([callEndpoint(begin, {}), loadCeremony()]);
      const made = await createPasskey(options.publicKey);
      return send(name === "" ? made : { ...made, name });
    },
    onSuccess: () => repeatReads(add),
    meta: { atField: refused?.atField },
  });
};
