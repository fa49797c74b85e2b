import type { ImportedUser } from "@tollgate/contract/records/imported-records";
import type { Identity } from "@tollgate/contract/records/user-record";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { USER_DISABLED, USER_ENABLED } from "@tollgate/contract/values/statuses";
import { isEmail } from "@tollgate/server/management-api/sign-in/account-rules";
import { cutText, readQuota, readTime, toNumber } from "./amounts";
import type { Origin, Series } from "./origin";
import type { UserRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** Of one-api 0.6: its users are marked as deleted, and keep their row. */
const STATUS_DELETED = 3;

const MAX_DISPLAY_NAME = 20;
const MAX_GROUP = 32;

/** Where each of them keeps the accounts elsewhere by which its users sign in. */
const IDENTITIES = [
  ["github", "github_id"],
  ["wechat", "wechat_id"],
  ["lark", "lark_id"],
  ["oidc", "oidc_id"],
  ["discord", "discord_id"],
  ["telegram", "telegram_id"],
  ["linuxdo", "linux_do_id"],
] as const;

/** bcrypt hashes of costs that are checked (server/management-api/sign-in/passwords.ts), and of this product's own kind. */
const PASSWORD = /^\$2[aby]\$(?:0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/;

/** Whether settings say nothing. @param text without blanks at its ends. */
const isEmptySetting = (text: string): boolean => text === "" || text === "null" || /^\{\s*\}$/.test(text);

/** Owners of unique values; the first user keeps a value. */
const createOwners = () => {
  const owners = new Map<string, number>();
  return (value: string, id: number): number | undefined => {
    const owner = owners.get(value);
    if (owner === undefined) owners.set(value, id);
    return owner;
  };
};

type Own = ReturnType<typeof createOwners>;

const readIdentities = (row: UserRow, ownIdentity: Own, remarks: TableRemarks): Identity[] => {
  const identities: Identity[] = [];
  for (const [method, column] of IDENTITIES) {
    const subject = row[column] ?? "";
    if (subject === "") continue;
    // One-api stores Feishu's id of the person for one app, and this product that for the whole company.
    const known = SIGN_IN_METHODS.find(({ name }) => name === method && name !== "lark")?.name;
    if (known === undefined) remarks.add("noted", "identity-unknown", row.id, { method });
    // A name may be given up and taken by another person; the number is GitHub's own.
    else if (method === "github" && !/^\d+$/.test(subject)) remarks.add("changed", "github-name", row.id);
    else {
      const other = ownIdentity(`${method} ${subject}`, row.id);
      if (other === undefined) identities.push({ method: known, subject });
      else remarks.add("changed", "identity-taken", row.id, { method, other });
    }
  }
  return identities;
};

/** A value, unless another user has it. */
const readOnce = (
  value: string | undefined,
  own: Own,
  id: number,
  code: "access-token-taken" | "aff-code-taken",
  remarks: TableRemarks,
): string => {
  if (value === undefined || value === "" || own(value, id) === undefined) return value ?? "";
  remarks.add("changed", code, id);
  return "";
};

/** The nearest role below the source's, and whether the user may sign in. */
const readRights = (
  { id, role, status }: UserRow,
  remarks: TableRemarks,
): { role: number; status: number } => {
  const [asked, state] = [toNumber(role), toNumber(status, USER_ENABLED)];
  const known = asked >= ROLE_ROOT ? ROLE_ROOT : asked >= ROLE_ADMIN ? ROLE_ADMIN : ROLE_USER;
  const isNobody = asked < ROLE_USER;
  if (isNobody) remarks.add("changed", "user-role-none", id, { before: String(role ?? "") });
  else if (known !== asked) remarks.add("changed", "user-role", id, { before: String(role), after: known });
  const isKnown = state === USER_ENABLED || state === USER_DISABLED;
  if (!isKnown) remarks.add("changed", "user-status", id, { before: String(status) });
  return { role: known, status: state === USER_ENABLED && !isNobody ? USER_ENABLED : USER_DISABLED };
};

const readPassword = ({ id, password = "" }: UserRow, remarks: TableRemarks): string => {
  if (PASSWORD.test(password)) return password;
  if (password === "") remarks.add("noted", "password-none", id);
  else remarks.add("changed", "password-unusable", id);
  return "";
};

const readBalance = (
  row: UserRow,
  series: Series,
  remarks: TableRemarks,
): { quota: number; usedQuota: number } => {
  const { id } = row;
  const usedQuota = readQuota(row.used_quota, { id, column: "used_quota", remarks });
  const reward = series === "new-api" ? readQuota(row.aff_quota, { id, column: "aff_quota", remarks }) : 0;
  const before = readQuota(row.quota, { id, column: "quota", remarks, most: MAX_QUOTA - usedQuota });
  if (reward > 0) remarks.add("changed", "reward-added", id, { quota: reward });
  const wanted = before + reward;
  const quota = Math.min(wanted, MAX_QUOTA - usedQuota);
  if (quota < wanted)
    remarks.add("changed", "quota-too-large", id, { column: "quota", before: wanted, after: quota });
  return { quota, usedQuota };
};

/**
 * Maps users.
 * @param rows in the order of their ids: the oldest user keeps a unique value.
 * @param ownGroups of users moved by a subscription into another group, by id.
 */
export const mapUsers = (
  rows: readonly UserRow[],
  { series }: Origin,
  ownGroups: ReadonlyMap<number, string>,
  remarks: TableRemarks,
): ImportedUser[] => {
  const records: ImportedUser[] = [];
  const names = new Set(rows.map(({ username }) => username ?? ""));
  const [ownName, ownLowerName, ownMail, ownIdentity, ownAccessToken, ownAffCode] = [
    createOwners(),
    createOwners(),
    createOwners(),
    createOwners(),
    createOwners(),
    createOwners(),
  ];

  const nameOf = ({ id, username = "" }: UserRow): string => {
    if (username !== "" && ownName(username, id) === undefined) {
      if (ownLowerName(username.toLowerCase(), id) !== undefined)
        remarks.add("noted", "username-alike", id, { before: username });
      return username;
    }
    let name = `user${id}`;
    while (names.has(name)) name = `_${name}`;
    names.add(name);
    ownName(name, id);
    const code = username === "" ? "username-empty" : "username-taken";
    remarks.add("changed", code, id, { before: username, after: name });
    return name;
  };

  const mailOf = ({ id, email = "" }: UserRow): string => {
    // Mail is sent to this text: several addresses, or a line feed, would lead it elsewhere.
    if (email !== "" && !isEmail(email)) {
      remarks.add("changed", "email-invalid", id);
      return "";
    }
    const other = email === "" ? undefined : ownMail(email.toLowerCase(), id);
    if (other === undefined) return email;
    remarks.add("changed", "email-taken", id, { other });
    return "";
  };

  for (const row of rows) {
    const { id, display_name: displayName = "", group = "", setting = "" } = row;
    const isMarked = series !== "new-api" && row.status === STATUS_DELETED;
    if (isMarked || (row.deleted_at ?? "") !== "") {
      remarks.add("left-out", "user-deleted", id);
      continue;
    }
    if (!isEmptySetting(setting.trim())) remarks.add("noted", "settings-left", id);
    const shown = cutText(displayName, MAX_DISPLAY_NAME);
    if (shown !== displayName) remarks.add("changed", "name-cut", id, { longest: MAX_DISPLAY_NAME });
    const own = (ownGroups.get(id) ?? group).trim() || "default";
    if (own.length > MAX_GROUP || own.includes(",")) remarks.add("noted", "group-long", id, { group: own });
    const { quota, usedQuota } = readBalance(row, series, remarks);
    const accessToken = readOnce(row.access_token, ownAccessToken, id, "access-token-taken", remarks);
    records.push({
      id,
      username: nameOf(row),
      passwordHash: readPassword(row, remarks),
      displayName: shown,
      ...readRights(row, remarks),
      quota,
      usedQuota,
      unloggedQuota: usedQuota,
      requestCount: Math.max(0, toNumber(row.request_count)),
      group: own,
      email: mailOf(row),
      identities: readIdentities(row, ownIdentity, remarks),
      inviterId: Math.max(0, toNumber(row.inviter_id)),
      affCode: readOnce(row.aff_code?.trim(), ownAffCode, id, "aff-code-taken", remarks),
      accessToken: accessToken === "" ? undefined : accessToken,
      createdTime: readTime(row.created_at),
    });
  }
  return records;
};
