import { randomBytes } from "node:crypto";
import { encodeUserBody, type User } from "@tollgate/contract/api/user";
import { changeUser, createUser, manageUser, type UserAction } from "@tollgate/contract/api/users";
import { requestOf } from "@tollgate/contract/resource/endpoint";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import {
  checkDisplayName,
  checkGroups,
  checkUsername,
} from "@tollgate/server/management-api/sign-in/account-rules";
import { findUser } from "../operator/find-user";
import { callEndpoint, type OperatorApi, type OperatorCall } from "../operator/operator-api";
import type { FileUser } from "./configuration";
import { explain, type FieldChange, type PlannedChange, type Sides } from "./find-changes";

/** What roles are called in a file. */
export const FILE_ROLES = ["user", "admin", "root"] as const;

const ROLES: Readonly<Record<number, FileUser["role"]>> = {
  [ROLE_USER]: "user",
  [ROLE_ADMIN]: "admin",
  [ROLE_ROOT]: "root",
};

/** A user as a file has it: no password, no balance, no keys. */
export const toFileUser = ({ username, displayName, role, status, group, limits }: User): FileUser => ({
  username,
  display_name: displayName,
  role: ROLES[role] ?? "user",
  enabled: status === USER_ENABLED,
  group,
  rpm: limits?.rpm ?? 0,
  tpm: limits?.tpm ?? 0,
  concurrency: limits?.concurrency ?? 0,
  daily_quota: limits?.dailyQuota ?? 0,
  monthly_quota: limits?.monthlyQuota ?? 0,
});

const FIELDS = [
  "display_name",
  "role",
  "enabled",
  "group",
  "rpm",
  "tpm",
  "concurrency",
  "daily_quota",
  "monthly_quota",
] as const;

const manage = (api: OperatorApi, username: string, action: UserAction) =>
  callEndpoint(api, manageUser, { body: { username, action } });

/** The calls that make a user what the file says, once there is one. */
const applyChanges = async (
  api: OperatorApi,
  wanted: FileUser,
  changed: ReadonlySet<string>,
): Promise<void> => {
  const { username, display_name, group, rpm, tpm, concurrency, daily_quota, monthly_quota } = wanted;
  const has = <T>(field: string, value: T): T | undefined => (changed.has(field) ? value : undefined);
  const edit = {
    displayName: has("display_name", display_name),
    group: has("group", group),
    rpm: has("rpm", rpm),
    tpm: has("tpm", tpm),
    concurrency: has("concurrency", concurrency),
    dailyQuota: has("daily_quota", daily_quota),
    monthlyQuota: has("monthly_quota", monthly_quota),
  };
  if (Object.values(edit).some((value) => value !== undefined)) {
    const { id } = await findUser(api, username);
    await callEndpoint(api, changeUser, { body: encodeUserBody({ id, ...edit }) });
  }
  if (changed.has("role")) await manage(api, username, wanted.role === "admin" ? "promote" : "demote");
  if (changed.has("enabled")) await manage(api, username, wanted.enabled ? "enable" : "disable");
};

/** What a new user has before anything is said of it. */
const NEWCOMER: Omit<FileUser, "username" | "display_name"> = {
  role: "user",
  enabled: true,
  group: "default",
  rpm: 0,
  tpm: 0,
  concurrency: 0,
  daily_quota: 0,
  monthly_quota: 0,
};

/** 16 characters that nobody is told. */
const createPassword = (): string => randomBytes(12).toString("base64url");

/** What becomes of users. Those that a file does not name stay, whatever is asked for: they have money here. */
export const findUserChanges = ({ file, current }: Sides): PlannedChange[] => {
  const known = new Map(current.users.map((user) => [user.username, user]));
  const seen = new Set<string>();
  return (file.configuration.users ?? []).flatMap((written, index): PlannedChange[] => {
    const path = ["users", index];
    const wanted = { ...written, display_name: written.display_name || written.username };
    const { username: name } = wanted;
    if (seen.has(name))
      file.refuse([...path, "username"], `the user ${JSON.stringify(name)} stands there twice`);
    seen.add(name);
    const found = known.get(name);
    const was: FileUser = found ? toFileUser(found) : { username: name, display_name: name, ...NEWCOMER };
    const fields = FIELDS.filter((field) => was[field] !== wanted[field]).map(
      (field): FieldChange => ({ field, before: was[field], after: wanted[field] }),
    );
    if (found && fields.length === 0) return [];
    const changed = new Set<string>(fields.map(({ field }) => field));
    const isRoot = was.role === "root" || wanted.role === "root";
    if (isRoot && (changed.has("role") || changed.has("enabled")))
      file.refuse(path, "root stays root, and nobody else becomes root by a file");
    try {
      if (!found) checkUsername(name);
      if (changed.has("display_name")) checkDisplayName(wanted.display_name);
      if (changed.has("group")) checkGroups(wanted.group);
    } catch (error) {
      file.refuse(path, explain(error));
    }
    const call: OperatorCall = requestOf(createUser, {
      body: encodeUserBody({ username: name, password: createPassword() }),
    });
    return [
      {
        sign: found ? "~" : "+",
        what: "user",
        name,
        fields,
        ...(found ? {} : { call }),
        after: (api) => applyChanges(api, wanted, changed),
      },
    ];
  });
};
