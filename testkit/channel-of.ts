import type { Channel } from "@tollgate/contract/management/channel";

/** A channel as it stands in memory: of OpenAI's type, enabled, with one key, for `m` of everybody. */
export const channelOf = (fields: Partial<Channel> = {}): Channel => ({
  id: 1,
  type: 1,
  name: `channel ${fields.id ?? 1}`,
  status: 1,
  weight: 0,
  priority: 0,
  createdTime: 0,
  testTime: 0,
  responseTimeMs: 0,
  baseUrl: "http://upstream.test",
  other: "",
  balance: 0,
  balanceUpdatedTime: 0,
  models: ["m"],
  groups: ["default"],
  usedQuota: 0,
  modelMapping: {},
  keyCount: 1,
  deadKeyCount: 0,
  proxy: "",
  ...fields,
});
