import type { IncomingMessage } from "node:http";
import { inSteps } from "@tollgate/relay/in-steps";
import type { ClientAddresses } from "../http/client-address";
import { areEqualTexts } from "../http/equal-texts";
import type { RequestCounters } from "./request-counters";
import { type StandingSources, writeStanding } from "./write-standing";

/** Characters written per turn of the event loop. */
const STEP_CHARACTERS = 32 * 1024;

/** Why a person may not read the metrics: the name of a sentence of /api. */
export type MetricsRefusal = "metrics-token-wrong" | "metrics-not-local";

export interface MetricsEndpoint {
  /** @returns undefined for a caller who may read. */
  refusal(request: IncomingMessage): MetricsRefusal | undefined;
  read(): Promise<string>;
}

function* inPieces(pieces: Iterable<string>): Generator<undefined, string> {
  let text = "";
  let stepped = 0;
  for (const piece of pieces) {
    text += piece;
    if (text.length - stepped < STEP_CHARACTERS) continue;
    stepped = text.length;
    yield;
  }
  return text;
}

/**
 * @param token a caller with it may read; undefined lets only callers on this machine read. A proxy on this machine
 * that adds no header looks like one: with a proxy in front of the gateway, a token is needed.
 */
export const createMetricsEndpoint = (
  counters: RequestCounters,
  sources: StandingSources,
  addresses: Pick<ClientAddresses, "isLocal">,
  token: string | undefined,
): MetricsEndpoint => {
  let running: Promise<string> | undefined;
  const write = (): Promise<string> =>
    inSteps(
      inPieces(
        (function* () {
          yield* counters.write();
          yield* writeStanding(sources);
        })(),
      ),
    );
  return {
    refusal(request) {
      if (token === undefined) return addresses.isLocal(request) ? undefined : "metrics-not-local";
      const presented = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
      return areEqualTexts(presented, token) ? undefined : "metrics-token-wrong";
    },
    read() {
      // Concurrent scrapes share one text.
      running ??= write().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
};
