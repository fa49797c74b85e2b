import type { Node } from "@tollgate/contract/api/nodes";
import type { OrderDetail } from "@tollgate/contract/api/orders";
import { readStatus, type Status } from "@tollgate/contract/api/status";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import { declares, defaultTextOf, OPTION_KEYS } from "@tollgate/contract/options/options";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { USER_DISABLED } from "@tollgate/contract/values/statuses";
import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { failureLike, type RequestRecord, recordOf } from "./request-records";
import {
  BEGIN,
  MODELS,
  makeApiKey,
  makeChannel,
  makeLog,
  makeNode,
  makeOrder,
  makeRedemption,
  makeUser,
} from "./sample-rows";
import type { StoredApiKey, StoredChannel, StoredLog, StoredRedemption, StoredUser } from "./stored-rows";

/** The data of the double. */
export interface World {
  status: Status;
  texts: { notice: string; about: string; home_page_content: string };
  users: StoredUser[];
  channels: StoredChannel[];
  tokens: StoredApiKey[];
  redemptions: StoredRedemption[];
  logs: StoredLog[];
  nodes: Node[];
  orders: OrderDetail[];
  /** The requests that receipts and sums over usage know of. */
  requests: RequestRecord[];
  options: Record<string, string>;
  models: string[];
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** The requests behind the log, and one without an answer. */
const requestsBehind = (logs: readonly StoredLog[]): RequestRecord[] => {
  const records = logs.flatMap((line, index) =>
    line.request_id === "" ? [] : [recordOf(line, index, 1 + (index % 3))],
  );
  const [first] = records;
  return first ? [...records, failureLike(first, "request-failed")] : [];
};

/** Options of a new server of one-api's contract: none of our own, no secrets. */
const optionsOfOneApi = (): Record<string, string> =>
  Object.fromEntries(
    OPTION_KEYS.filter((key) => !declares(key, "isExtra") && !isSecretOption(key)).map((key) => [
      key,
      defaultTextOf(key) ?? "{}",
    ]),
  );

/** Everything is disabled, and fields of only our server are absent. */
const freshStatus = (): Status => {
  const {
    body_log: _bodies,
    plans: _plans,
    setup_pending: _setup,
    list_queries: _sorts,
    list_extras: _filters,
    ...neutral
  } = readStatus({});
  return {
    ...neutral,
    version: CONTRACT_VERSION,
    start_time: BEGIN,
    system_name: "Tollgate",
    server_address: "http://localhost:3000",
    quota_per_unit: 500_000,
    display_in_currency: true,
  };
};

/** A filled world: root / 123456, admin and users with the password 12345678. */
export const makeWorld = (): World => {
  const logs = times(64, makeLog);
  return {
    status: freshStatus(),
    texts: { notice: "", about: "", home_page_content: "" },
    users: [
      makeUser(1, "root", ROLE_ROOT, { password: "123456", display_name: "Root User" }),
      makeUser(2, "admin", ROLE_ADMIN),
      makeUser(3, "alice", ROLE_USER, { email: "alice@example.com", group: "vip" }),
      makeUser(4, "bob", ROLE_USER, { status: USER_DISABLED }),
      ...times(22, (index) => makeUser(index + 5, `user${index + 5}`, ROLE_USER)),
    ],
    channels: times(23, makeChannel),
    tokens: times(26, (index) => makeApiKey(index, 1)),
    redemptions: times(14, makeRedemption),
    logs,
    nodes: times(3, makeNode),
    orders: times(2, makeOrder),
    requests: requestsBehind(logs),
    options: {
      ...optionsOfOneApi(),
      EmailDomainWhitelist: "gmail.com,163.com,qq.com",
      ModelRatio: '{"gpt-3.5-turbo":0.75,"gpt-4":15}',
      GroupRatio: '{"default":1,"vip":1,"svip":1}',
    },
    models: [...MODELS],
  };
};
