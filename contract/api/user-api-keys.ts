import { endpoint, LIMIT_PARAMETER, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { int, text } from "../resource/fields";
import { listOf, resource, type ValueOf, type WireFormat } from "../resource/resource";
import {
  API_KEY_FILTER_PARAMETERS,
  API_KEY_FILTERS,
  API_KEY_SORTS,
  API_KEY_WIRE_FIELDS,
  type KeySummary,
  toApiKeyFields,
  token,
} from "./api-keys";

/* Keys of other users, as administrators see them: without their secrets. Beyond the contract. */

const { key: _secret, ...summaryFields } = API_KEY_WIRE_FIELDS;
const summary = /* @__PURE__ */ resource(summaryFields);

const keySummary: WireFormat<KeySummary> = {
  schema: summary.schema,
  encode: (value) => summary.encode(toApiKeyFields(value)),
  read: token.read,
};

/** One key with its owner. */
export interface OwnedKeySummary extends KeySummary {
  username: string;
}

const ownedSummary = /* @__PURE__ */ resource({ ...summaryFields, username: text("username") });

const ownedKeySummary: WireFormat<OwnedKeySummary> = {
  schema: ownedSummary.schema,
  encode: (value) => ownedSummary.encode(toApiKeyFields(value)),
  read(value) {
    const key = token.read(value);
    return key && { ...key, username: ownedSummary.read(value)?.username ?? "" };
  },
};

/** What a search of all keys finds of each. */
const foundKey = resource({
  id: int("id"),
  name: text("name"),
  status: int("status"),
  userId: int("user_id"),
  username: text("username"),
});
export type FoundKey = ValueOf<typeof foundKey>;

/** Maximum keys of a search over all users. */
export const MAX_FOUND_KEYS = 50;

export const findApiKeys = endpoint({
  method: "GET",
  path: "/api/token/find",
  guard: "admin",
  area: "users",
  summary:
    "Keys of all users visible to the caller, by id, or by the beginning of the name or of the user's name, the newest first",
  query: { keyword: "An id, or the beginning of a name.", ...LIMIT_PARAMETER },
  data: listOf(foundKey),
  reads: "tokens",
});

export const listApiKeysOfUser = endpoint({
  method: "GET",
  path: "/api/user/:id/tokens",
  guard: "admin",
  area: "users",
  summary: "A page of a user's keys, without their secrets",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...API_KEY_FILTER_PARAMETERS },
  sorts: API_KEY_SORTS,
  filters: API_KEY_FILTERS,
  data: listOf(keySummary),
  reads: "tokens",
});

export const getApiKeySummary = endpoint({
  method: "GET",
  path: "/api/token/:id/summary",
  guard: "admin",
  area: "users",
  summary: "One key of any user visible to the caller, without its secret, with the user's name",
  data: ownedKeySummary,
  reads: "tokens",
});
