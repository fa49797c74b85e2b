import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { DEFAULT_API } from "@tollgate/protocols/client-apis";
import type { ChargeRecord } from "../ports/charges";
import type { ApiKey } from "../ports/directory";

/** A request with this key and a complete answer, free of charge by default. */
export const chargeRecordOf = (key: ApiKey, more: Partial<ChargeRecord> = {}): ChargeRecord => ({
  requestId: "r",
  key,
  protocol: DEFAULT_API.protocol.name,
  operation: "chat",
  group: "default",
  channelId: 1,
  requestedModel: "m",
  model: "m",
  isStream: false,
  end: "complete",
  startedAtMs: 0,
  durationMs: 1,
  firstByteMs: undefined,
  attempts: [],
  trace: undefined,
  quota: 0,
  promptTokens: 1,
  completionTokens: 1,
  usage: NO_USAGE,
  promptSource: "upstream",
  completionSource: "upstream",
  shortfall: 0,
  takenFromKey: 0,
  keyShortfall: 0,
  priceVersion: 1,
  formula: "",
  formulaUnits: undefined,
  use: { shape: '["m","default"]', values: [1, 1] },
  content: [],
  cost: undefined,
  rule: undefined,
  ...more,
});
