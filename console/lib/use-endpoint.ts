import { type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import type { CallOf, DataOf, Endpoint, Guard } from "@tollgate/contract/resource/endpoint";
import { callEndpoint } from "./call-endpoint";
import { useMutation } from "./use-mutation";
import type { AtField } from "./use-refusals";

/** Repeats reads of the resources that a call has changed. */
export const useRepeatReads = () => {
  const queryClient = useQueryClient();
  return ({ changes = [] }: Pick<Endpoint, "changes">) =>
    Promise.all(changes.map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })));
};

interface EndpointOptions<E extends Endpoint> extends Partial<AtField> {
  isSilent?: boolean;
  repeatsAlways?: boolean;
  onAnswer?: (data: DataOf<E>, call: CallOf<E>) => void;
}

/**
 * A call that changes data. Reads of the changed resources are repeated before it counts as done.
 * @param isSilent the page reports its failure itself
 * @param atField shows a refusal at a field of the form (useFields, useMistakes)
 * @param onAnswer runs even if the page has been left, unlike the `onSuccess` of a single call
 * @param repeatsAlways repeats reads after a failure, too: the reason of a rejection may have changed by now
 */
export const useEndpoint = <E extends Endpoint>(
  endpoint: E,
  { isSilent = false, repeatsAlways = false, onAnswer, atField }: EndpointOptions<E> = {},
): UseMutationResult<DataOf<E>, Error, CallOf<E>> => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationFn: (call: CallOf<E>) => callEndpoint(endpoint, call),
    onSuccess: (data, call) => {
      onAnswer?.(data, call);
      return repeatsAlways ? undefined : repeatReads(endpoint);
    },
    onSettled: () => (repeatsAlways ? repeatReads(endpoint) : undefined),
    meta: { silent: isSilent, atField },
  });
};

interface Saved<Body> {
  /** undefined for a new record */
  id: number | undefined;
  body: Body;
}

/** Creates a record, or changes the one with the id, for forms that do both. */
export const useSave = <Body, Data>(
  create: Endpoint<string, Guard, never, unknown, Body, Data>,
  change: Endpoint<`${string}:id`, Guard, never, unknown, Body, Data>,
  { atField }: AtField,
) => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationFn: ({ id, body }: Saved<Body>): Promise<Data> => {
      const target = id === undefined ? create : change;
      return callEndpoint<Endpoint>(target, {
        params: { id: id ?? 0 },
        body,
      } as CallOf<Endpoint>) as Promise<Data>;
    },
    onSuccess: (_data, { id }) => repeatReads(id === undefined ? create : change),
    meta: { atField },
  });
};

interface Update<Stored, Body> {
  id: number;
  /** The body for the record as it is stored now. @throws RefusedError to send none */
  toBody: (now: Stored) => Body;
}

/**
 * Saves the form of a stored record. The record is read again first: the body contains all of it, and outdated values
 * would revert the changes of others, or refund the usage since the form was opened.
 */
export const useUpdate = <Stored, Body, Data>(
  read: Endpoint<`${string}:id`, Guard, never, unknown, unknown, Stored>,
  change: Endpoint<string, Guard, never, unknown, Body, Data>,
  { atField }: AtField,
) => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationFn: async ({ id, toBody }: Update<Stored, Body>): Promise<Data> => {
      const asked = { params: { id }, body: undefined } as CallOf<Endpoint>;
      const now = (await callEndpoint<Endpoint>(read, asked)) as Stored;
      return callEndpoint<Endpoint>(change, { body: toBody(now) } as CallOf<Endpoint>) as Promise<Data>;
    },
    onSuccess: () => repeatReads(change),
    meta: { atField },
  });
};
