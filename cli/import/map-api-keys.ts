import { parseNetworks } from "@tollgate/accounts/parse-networks";
import { MAX_API_KEY_NAME } from "@tollgate/contract/api/api-keys";
import type { ImportedApiKey, ImportedUser } from "@tollgate/contract/records/imported-records";
import { AUTO_GROUP, MAX_AUTO_GROUPS } from "@tollgate/contract/values/auto-group";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { splitList } from "@tollgate/contract/values/split-list";
import { TOKEN_DISABLED, TOKEN_ENABLED, TOKEN_EXHAUSTED } from "@tollgate/contract/values/statuses";
import { cutText, readQuota, readTime, toNumber } from "./amounts";
import type { Origin } from "./origin";
import { readTexts } from "./read-json";
import type { RemarkCode } from "./remarks";
import type { ApiKeyRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** More than a request of the console may send (contract/api/api-keys.ts). */
const MAX_MODELS = 20_000;

const NEVER = -1;

const MAX_GROUP = 64;

/** Signs that end a presented key: the name of a channel follows a dash, and blanks are trimmed. */
const ENDS_KEY = /[-\s]/;

/** Rights of a key, and the reason when it has none. */
interface Access {
  models: readonly string[];
  subnet: string;
  fault?: RemarkCode;
}

const modelsOf = (row: ApiKeyRow, { series }: Origin): Pick<Access, "models" | "fault"> => {
  const isLimited = series === "new-api" ? row.model_limits_enabled === true : (row.models ?? "") !== "";
  if (!isLimited) return { models: [] };
  const models = splitList((series === "new-api" ? row.model_limits : row.models) ?? "");
  // None would mean all.
  if (models.length === 0) return { models, fault: "key-without-models" };
  return models.join(",").length > MAX_MODELS ? { models: [], fault: "key-models-long" } : { models };
};

const accessOf = (row: ApiKeyRow, origin: Origin): Access => {
  const { models, fault } = modelsOf(row, origin);
  const text = splitList((origin.series === "new-api" ? row.allow_ips : row.subnet) ?? "").join(",");
  if (text === "") return { models, subnet: "", fault };
  const isReadable = text.length <= 2000 && !("fault" in parseNetworks(text));
  return isReadable ? { models, subnet: text, fault } : { models, subnet: "", fault: "key-networks" };
};

/** The group that a key has of its own, "" for none; undefined where its name cannot be one here. */
const groupOf = (row: ApiKeyRow): string | undefined => {
  const group = (row.group ?? "").trim();
  return group.includes(",") || group.length > MAX_GROUP ? undefined : group;
};

const autoGroupsOf = (row: ApiKeyRow): string[] =>
  [...new Set(readTexts(row.auto_groups).flatMap(splitList))].slice(0, MAX_AUTO_GROUPS);

interface KeyContext {
  origin: Origin;
  /** Keys that are taken over, with the id of their row. */
  owners: Map<string, number>;
  users: ReadonlyMap<number, ImportedUser>;
  remarks: TableRemarks;
}

/** @returns the owner of a key that is taken over. Remarks tell why another one is left out. */
const ownerOf = (row: ApiKeyRow, { owners, users, remarks }: KeyContext): ImportedUser | undefined => {
  const { id, key = "" } = row;
  const userId = toNumber(row.user_id);
  const user = users.get(userId);
  const other = owners.get(key);
  if ((row.deleted_at ?? "") !== "") remarks.add("left-out", "key-deleted", id);
  else if (!user) remarks.add("left-out", "key-of-nobody", id, { user: userId });
  else if (key === "") remarks.add("left-out", "key-empty", id);
  else if (other !== undefined) remarks.add("left-out", "key-taken", id, { other });
  else return user;
  return undefined;
};

/** A key of an unknown state, or with unknown rights, is off. */
const statusOf = (row: ApiKeyRow, fault: RemarkCode | undefined, remarks: TableRemarks): number => {
  const state = toNumber(row.status, TOKEN_ENABLED);
  const isKnown = state >= TOKEN_ENABLED && state <= TOKEN_EXHAUSTED;
  if (!isKnown) remarks.add("changed", "key-status", row.id, { before: String(row.status) });
  if (fault) remarks.add("changed", fault, row.id);
  return isKnown && fault === undefined ? state : TOKEN_DISABLED;
};

const quotasOf = (row: ApiKeyRow, remarks: TableRemarks) => {
  const { id } = row;
  const unlimitedQuota = row.unlimited_quota === true;
  const usedQuota = readQuota(row.used_quota, { id, column: "used_quota", remarks });
  const takenQuota = unlimitedQuota ? 0 : usedQuota;
  const most = MAX_QUOTA - takenQuota;
  const remainQuota = readQuota(row.remain_quota, { id, column: "remain_quota", remarks, most });
  return { unlimitedQuota, usedQuota, takenQuota, remainQuota };
};

const mapApiKey = (row: ApiKeyRow, context: KeyContext): ImportedApiKey | undefined => {
  const { id, key = "", name = "" } = row;
  const { origin, remarks } = context;
  const user = ownerOf(row, context);
  if (!user) return undefined;
  context.owners.set(key, id);
  if (ENDS_KEY.test(key)) remarks.add("noted", "key-with-dash", id);
  const group = groupOf(row);
  if (group === undefined)
    remarks.add("noted", "key-group", id, { group: row.group ?? "", userGroup: user.group });
  const shown = cutText(name, MAX_API_KEY_NAME);
  if (shown !== name) remarks.add("changed", "name-cut", id, { longest: MAX_API_KEY_NAME });
  const { models, subnet, fault } = accessOf(row, origin);
  return {
    id,
    userId: user.id,
    key,
    name: shown,
    status: statusOf(row, fault, remarks),
    createdTime: readTime(row.created_time),
    accessedTime: readTime(row.accessed_time),
    expiredTime: Math.max(NEVER, toNumber(row.expired_time, NEVER)),
    ...quotasOf(row, remarks),
    models,
    subnet,
    group: group ?? "",
    autoGroups: group === AUTO_GROUP ? autoGroupsOf(row) : [],
  };
};

/**
 * Maps API keys.
 * @param users those that are taken over, by id.
 */
export const mapApiKeys = (
  rows: readonly ApiKeyRow[],
  origin: Origin,
  users: ReadonlyMap<number, ImportedUser>,
  remarks: TableRemarks,
): ImportedApiKey[] => {
  const context = { origin, owners: new Map<string, number>(), users, remarks };
  return rows.flatMap((row) => mapApiKey(row, context) ?? []);
};
