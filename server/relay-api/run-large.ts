import type { ServerResponse } from "node:http";
import { inSteps } from "@tollgate/relay/in-steps";
import type { Refusal } from "@tollgate/relay/ports/client";
import { failRequest } from "../http/fail-request";
import type { UploadSettings } from "./read-admitted";

/**
 * Reads a large body in steps, and then runs its request. Checks that may have changed meanwhile are repeated; the
 * engine checks the key.
 * @param run may throw an error that `fail` reports to the client.
 */
export const runLarge = <Read>(
  {
    isStopping,
    chargingFault,
    reportError,
  }: Pick<UploadSettings, "isStopping" | "chargingFault" | "reportError">,
  response: ServerResponse,
  steps: Generator<undefined, Read>,
  run: (read: Read) => void,
  refuse: (refusal: Refusal) => void,
  fail: (error: unknown) => void,
): void => {
  inSteps(steps, () => {
    // The client has left: nothing uses the result.
    if (response.destroyed) steps.return(undefined as Read);
  })
    .then((read) => {
      if (response.destroyed) return;
      const fault = isStopping() ? "shutting-down" : chargingFault();
      if (fault) refuse({ code: fault });
      else run(read);
    })
    .catch(fail)
    .catch((error: Error) => {
      reportError(error);
      failRequest(response);
    });
};
