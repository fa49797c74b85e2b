import type { BatchDone, BatchFailure } from "@tollgate/contract/management/batch";
import type { Endpoint, Guard } from "@tollgate/contract/resource/endpoint";
import i18next from "i18next";
import { useRef, useState } from "react";
import { callEndpoint } from "./call-endpoint";
import { notify } from "./notify";
import { useRepeatReads } from "./use-endpoint";
import { useMutation } from "./use-mutation";

/** Records of one call: few enough that progress is shown and a run can be stopped. */
const PART_SIZE = 100;

/** A call that changes the records of `ids`, and names those that it refuses. */
export type BatchEndpoint<Body> = Endpoint<string, Guard, never, unknown, Body, BatchDone>;

export interface BatchProgress {
  done: number;
  total: number;
}

interface BatchRequest<Body> {
  /** The body without ids. */
  body: Omit<Body, "ids">;
  /** The records; undefined where the body names them otherwise. */
  ids: readonly number[] | undefined;
}

interface BatchOptions {
  /** Called with the records that remain: those that were not reached, or after a deletion those that were refused. */
  onLeft: (ids: readonly number[]) => void;
}

const partsOf = (ids: readonly number[]): (readonly number[])[] =>
  Array.from({ length: Math.ceil(ids.length / PART_SIZE) }, (_, part) =>
    ids.slice(part * PART_SIZE, (part + 1) * PART_SIZE),
  );

/**
 * Changes many records, part after part, on this page or after it was left. A run that was stopped or failed leaves the
 * records that it did not reach selected.
 */
export const useBatch = <Body extends { action: string }>(
  endpoint: BatchEndpoint<Body>,
  { onLeft }: BatchOptions,
) => {
  const repeatReads = useRepeatReads();
  const [progress, setProgress] = useState<BatchProgress>();
  const [refused, setRefused] = useState<readonly BatchFailure[]>([]);
  const isStopped = useRef(false);
  const mutation = useMutation({
    mutationFn: async ({ body, ids }: BatchRequest<Body>): Promise<void> => {
      isStopped.current = false;
      setRefused([]);
      const parts = ids === undefined ? [undefined] : partsOf(ids);
      const total = ids?.length ?? 0;
      const failed: BatchFailure[] = [];
      let reached = 0;
      let done = 0;
      try {
        for (const part of parts) {
          if (isStopped.current) break;
          if (parts.length > 1) setProgress({ done: reached, total });
          const sent = part === undefined ? body : { ...body, ids: part };
          // TypeScript does not put a generic body together again.
          const answer = await callEndpoint(endpoint as BatchEndpoint<unknown>, { body: sent });
          reached += part?.length ?? 0;
          done += answer.done;
          failed.push(...answer.failed);
        }
      } finally {
        setProgress(undefined);
        setRefused(failed);
        if (done > 0) notify.success(i18next.t("batch.done", { count: done }));
        const left = ids?.slice(reached) ?? [];
        if (left.length > 0) onLeft(left);
        else if (body.action === "delete") onLeft(failed.map(({ id }) => id));
      }
    },
    onSettled: () => repeatReads(endpoint),
  });
  return {
    isBusy: mutation.isPending,
    progress,
    /** The records that the last run could not change. */
    refused,
    forgetRefused: () => setRefused([]),
    /** Rejects if the server does not answer; the query client reports it. */
    run: (body: Omit<Body, "ids">, ids: readonly number[] | undefined) => mutation.mutateAsync({ body, ids }),
    stop: () => {
      isStopped.current = true;
    },
  };
};

export type Batch = Pick<
  ReturnType<typeof useBatch>,
  "isBusy" | "progress" | "refused" | "forgetRefused" | "stop"
>;
