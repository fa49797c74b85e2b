import { encodeApiKeyBody } from "@tollgate/contract/api/api-keys";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { NEVER, toUnixSeconds } from "@tollgate/contract/values/time";
import { toAliasChange } from "../../components/bulk-aliases";
import { parseDate } from "../../lib/format";
import { type LimitFields, NO_LIMITS } from "../../lib/limit-fields";
import { LIMIT_NAMES, toLimitChange } from "../../lib/typed-limits";

/** The fields of the editor of many keys, as typed. */
export interface TypedKeys extends LimitFields {
  group: string;
  autoGroups: string[];
  /** "" means never. */
  expiry: string;
  quota: string;
  unlimited: "yes" | "no";
  /** JSON text; "" for none. */
  modelAliases: string;
}

export const NOTHING_TYPED: TypedKeys = {
  group: "",
  autoGroups: [],
  expiry: "",
  quota: "",
  unlimited: "yes",
  modelAliases: "",
  ...NO_LIMITS,
};

/** The change that a field makes; undefined while its value is invalid. */
type FieldChange = (typed: TypedKeys) => object | undefined;

const CHANGES: Readonly<Record<string, FieldChange>> = {
  group: ({ group, autoGroups }) => ({ group, autoGroups: autoGroups.join(",") }),
  expiry({ expiry }) {
    if (expiry.trim() === "") return { expiredTime: NEVER };
    const date = parseDate(expiry);
    return date && { expiredTime: toUnixSeconds(date.getTime()) };
  },
  // A key without a limit has no remaining quota to show.
  quota: ({ quota }) =>
    /^\d+$/.test(quota.trim()) && Number(quota) <= MAX_QUOTA
      ? { remainQuota: Number(quota), unlimitedQuota: false }
      : undefined,
  unlimited: ({ unlimited }) => ({ unlimitedQuota: unlimited === "yes" }),
  modelAliases: ({ modelAliases }) => toAliasChange(modelAliases),
  ...Object.fromEntries(LIMIT_NAMES.map((name) => [name, (typed: TypedKeys) => toLimitChange(name, typed)])),
};

/** The change that the enabled fields make together; undefined without any, or while one of them is invalid. */
export const toKeysChange = (typed: TypedKeys, enabled: ReadonlySet<keyof TypedKeys>): object | undefined => {
  const change = {};
  for (const name of enabled) {
    const part = CHANGES[name]?.(typed);
    if (part === undefined) return undefined;
    Object.assign(change, part);
  }
  return enabled.size === 0 ? undefined : encodeApiKeyBody(change);
};
