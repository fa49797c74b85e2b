import type { EventInspection } from "@tollgate/contract/relay/protocol";

/** The inspection of an event that says nothing; what another one says is laid over it. */
export const NOTHING_FOUND: EventInspection = {
  text: "",
  isDelivery: false,
  isFinish: false,
  isEnd: false,
  isUsageOnly: false,
};

/** That of an event which is no JSON, or holds more than is read. */
export const UNREADABLE: EventInspection = { ...NOTHING_FOUND };
