import type { NewApiKey } from "@tollgate/contract/records/api-key-record";
import type { NewChannel } from "@tollgate/contract/records/channel-record";
import type { QuotaMove } from "@tollgate/contract/records/ledger-entry";
import type { NewPasskey } from "@tollgate/contract/records/passkey-record";
import type { NewUser } from "@tollgate/contract/records/user-record";
import type { Charge } from "../accounts/charges";

/* What tests of every engine store: valid records, of which a test names only what it is about. */

export const MASTER_KEY = new Uint8Array(32).fill(7);

/** A user "alice" with 1000 of quota. */
export const newUser = (more: Partial<NewUser> = {}): NewUser => ({
  username: "alice",
  passwordHash: "hash",
  displayName: "",
  role: 1,
  quota: 1000,
  group: "default",
  email: "",
  inviterId: 0,
  affCode: "",
  accessToken: undefined,
  createdTime: 1,
  ...more,
});

/** A key "laptop" of that user, with 500 of quota. */
export const newToken = (userId: number, more: Partial<NewApiKey> = {}): NewApiKey => ({
  userId,
  key: "k".repeat(48),
  name: "laptop",
  createdTime: 1,
  expiredTime: -1,
  remainQuota: 500,
  unlimitedQuota: false,
  ...more,
});

export const newChannel = (more: Partial<NewChannel> = {}): NewChannel => ({
  type: 1,
  key: "upstream-secret",
  status: 1,
  name: "upstream",
  weight: 0,
  priority: 0,
  createdTime: 1,
  baseUrl: "",
  other: "",
  models: ["gpt-4", "gpt-3.5-turbo"],
  groups: ["default"],
  modelMapping: { "gpt-4": "gpt-4-0613" },
  proxy: "",
  tag: "",
  testModel: "",
  skipsTests: false,
  calendar: {},
  ...more,
});

/** A passkey of a device that counts its signatures. */
export const newPasskey = (userId: number, more: Partial<NewPasskey> = {}): NewPasskey => ({
  userId,
  credentialId: "credential-of-alice",
  publicKey: "pQECAyYgASFYIA",
  counter: 3,
  transports: ["internal", "hybrid"],
  name: "laptop",
  createdTime: 1,
  lastUsedTime: 0,
  lastChallenge: 1000,
  ...more,
});

/** A balance that an administrator has changed by so much. */
export const moved = (difference: number): QuotaMove => ({
  difference,
  movement: { cause: "quota-changed", actorId: 1, at: 1 },
});

/** An answered request of user 1 with key 1 by channel 1; all of its quota is taken from the key, too, unless said. */
export const newCharge = (more: Partial<Charge> = {}): Charge => {
  const { quota = 18 } = more;
  return {
    requestId: "r-1",
    userId: 1,
    tokenId: 1,
    channelId: 1,
    quota,
    tokenQuota: quota,
    createdAt: 100,
    username: "alice",
    tokenName: "laptop",
    modelName: "gpt-4",
    promptTokens: 13,
    completionTokens: 5,
    content: "why",
    count: "answered",
    isLogged: true,
    isStream: false,
    durationMs: 20,
    firstByteMs: undefined,
    receipt: "",
    ...more,
  };
};
