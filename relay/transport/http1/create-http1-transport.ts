import type { Transport, UpstreamRequest } from "../../ports/transport";
import { isOriginBlocked } from "../blocked-origin";
import type { TransportSettings } from "../transport-settings";
import { Call } from "./call";
import { Deadlines } from "./deadlines";
import { targetOf } from "./dial";
import { Pool, STOPPING } from "./pool";
import { requestHead, UnsendableRequest } from "./request-head";
import { bodyLength } from "./request-writer";

const headOf = (pool: Pool, request: UpstreamRequest, bodyBytes: number): string | UnsendableRequest => {
  try {
    return requestHead(pool.target.hostHeader, request, bodyBytes);
  } catch (error) {
    if (error instanceof UnsendableRequest) return error;
    throw error;
  }
};

/**
 * Upstream connections over HTTP/1.1 (https://www.rfc-editor.org/rfc/rfc9112): kept alive, one request at a time on
 * each.
 * @param ca trusted authorities in place of the default ones, for tests.
 */
export const createHttp1Transport = (settings: TransportSettings, ca?: string): Transport => {
  const { connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs } = settings;
  const clock = new Deadlines(Math.min(connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs));
  const patience = {
    connect: clock.ticksOf(connectTimeoutMs),
    firstByte: clock.ticksOf(firstByteTimeoutMs),
    idle: clock.ticksOf(idleTimeoutMs),
  };
  const pools = new Map<string, Pool>();
  let isClosed = false;
  const poolOf = (origin: string): Pool => {
    let pool = pools.get(origin);
    if (pool === undefined) {
      pool = new Pool(targetOf(origin, ca), clock, patience);
      pools.set(origin, pool);
    }
    return pool;
  };
  return {
    send(request, receiver) {
      const { origin, body } = request;
      if (isOriginBlocked(origin)) {
        receiver.onFailure({ kind: "blocked", detail: { code: "origin-blocked", origin } });
        return;
      }
      if (isClosed) {
        receiver.onFailure(STOPPING);
        return;
      }
      const pool = poolOf(origin);
      const bodyBytes = bodyLength(body);
      const head = headOf(pool, request, bodyBytes);
      if (head instanceof UnsendableRequest) {
        receiver.onFailure({ kind: "invalid", detail: head.fault });
        return;
      }
      const call = new Call(request, head, bodyBytes, receiver);
      call.start();
      if (!call.isOver) pool.send(call);
    },
    async close() {
      isClosed = true;
      for (const pool of pools.values()) pool.close();
      clock.closeAll();
    },
  };
};
