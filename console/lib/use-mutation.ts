import {
  hashKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation as useUnguardedMutation,
} from "@tanstack/react-query";
import { useRef } from "react";

/** The promise of a repeated call: it never settles, so that nothing follows from the second event. */
const REPEATED = new Promise<never>(() => undefined);

/**
 * A call that changes something on the server. It is busy from the first event on: a second event comes before the
 * drawing that disables its button, and must not send the call twice.
 *
 * With a `scope`, different calls wait for each other (the answers of one row arrive in the order of its calls), and
 * only repetitions of a pending call are dropped.
 */
export const useMutation = <Data, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Context>,
): UseMutationResult<Data, Error, Variables, Context> => {
  const mutation = useUnguardedMutation(options);
  const { current: pending } = useRef(new Set<string>());
  const mutateAsync: typeof mutation.mutateAsync = (...call) => {
    const name = options.scope ? hashKey([call[0]]) : "";
    if (pending.has(name)) return REPEATED;
    pending.add(name);
    return mutation.mutateAsync(...call).finally(() => pending.delete(name));
  };
  return {
    ...mutation,
    mutateAsync,
    mutate: (...call) => {
      // The query client reports a failure.
      mutateAsync(...call).catch(() => undefined);
    },
  };
};
