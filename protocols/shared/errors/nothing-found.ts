import type { EventInspection } from "@tollgate/contract/relay/protocol";

/** The inspection of an event without content; the base for other inspections. */
export const NOTHING_FOUND: EventInspection = {
  text: "",
  isDelivery: false,
  isFinish: false,
  isEnd: false,
  isUsageOnly: false,
};

/** The inspection of an event that is not JSON, or exceeds the limits. */
export const UNREADABLE: EventInspection = { ...NOTHING_FOUND };
