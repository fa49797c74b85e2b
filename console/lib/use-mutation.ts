import {
  hashKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation as useUnguardedMutation,
} from "@tanstack/react-query";
import { useRef } from "react";

/** The promise of a duplicate call: it never settles, so that the second event has no effect. */
const REPEATED = new Promise<never>(() => undefined);

/**
 * A call that changes data on the server. It is busy from the first event on: a second event arrives before the render
 * that disables its button, and must not send the call twice.
 *
 * With a `scope`, different calls run one after another (the answers for one row arrive in the order of its calls), and
 * only duplicates of a pending call are dropped.
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
