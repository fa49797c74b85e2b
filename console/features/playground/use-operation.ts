import { useQueryClient } from "@tanstack/react-query";
import { getSelf } from "@tollgate/contract/api/own-account";
import { useEffect, useRef, useState } from "react";
import { callPlayground, failureOf, type PlaygroundFailure, requestIdOf } from "./playground-call";
import type { Raw } from "./run-answer";

/** The outcome of one request other than a chat. */
export interface OperationOutcome<Result> {
  result?: Result;
  failure?: PlaygroundFailure;
  isStopped?: boolean;
  requestId: string;
  raw: Raw;
}

/**
 * Sends one request at a time.
 * @param read the result of an answer, and the text of its raw view. @param release frees what a result holds.
 */
export const useOperation = <Result>(
  path: string,
  read: (response: Response) => Promise<{ result: Result; text: string }>,
  release: (result: Result) => void = () => undefined,
) => {
  const queryClient = useQueryClient();
  const [outcome, setOutcome] = useState<OperationOutcome<Result>>();
  const [isRunning, setRunning] = useState(false);
  const controller = useRef<AbortController>(undefined);
  const shown = useRef<Result>(undefined);
  const { current: free } = useRef(() => {
    if (shown.current !== undefined) release(shown.current);
    shown.current = undefined;
  });
  useEffect(
    () => () => {
      controller.current?.abort();
      free();
    },
    [free],
  );

  const run = async (group: string, body: Record<string, unknown>): Promise<void> => {
    if (controller.current) return;
    const own = new AbortController();
    controller.current = own;
    setRunning(true);
    let requestId = "";
    let done: OperationOutcome<Result>;
    try {
      const response = await callPlayground({ path, group, body, signal: own.signal });
      requestId = requestIdOf(response);
      const { result, text } = await read(response);
      free();
      shown.current = result;
      done = { result, requestId, raw: { request: body, answer: text } };
    } catch (error) {
      const raw = { request: body, answer: "" };
      const failure = failureOf(error, requestId);
      done = own.signal.aborted
        ? { isStopped: true, requestId, raw }
        : { failure, requestId: failure.requestId, raw };
    }
    controller.current = undefined;
    setOutcome(done);
    setRunning(false);
    void queryClient.invalidateQueries({ queryKey: [getSelf.reads, getSelf.path] });
  };

  return { outcome, isRunning, run, stop: () => controller.current?.abort() };
};
