import { randomBytes } from "node:crypto";
import { encodeUserBody, type User } from "@tollgate/contract/api/user";
import { changeUser, createUser, manageUser, type UserAction } from "@tollgate/contract/api/users";
import { LIMITS } from "@tollgate/contract/management/limits";
import { requestOf } from "@tollgate/contract/resource/endpoint";
import { limitNames, toNamedLimits } from "@tollgate/contract/resource/limits";
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
import { explain, type FieldChange, type PlannedChange, type Sides } from "./planned-change";

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
  ...toNamedLimits(LIMITS, limits),
});

/** Fields that a call changes under the names that they have in a file. */
const SENT = ["display_name", "group", ...limitNames(LIMITS)] as const;
const FIELDS = ["display_name", "role", "enabled", "group", ...limitNames(LIMITS)] as const;

const manage = (api: OperatorApi, username: string, action: UserAction) =>
  callEndpoint(api, manageUser, { body: { username, action } });

/** Calls that make an existing user equal to the file. */
const applyChanges = async (
  api: OperatorApi,
  wanted: FileUser,
  changed: ReadonlySet<string>,
): Promise<void> => {
  const { username } = wanted;
  const edit = SENT.filter((field) => changed.has(field)).map((field) => [field, wanted[field]]);
  if (edit.length > 0) {
    const { id } = await findUser(api, username);
    await callEndpoint(api, changeUser, { body: { id, ...Object.fromEntries(edit) } });
  }
  if (changed.has("role")) await manage(api, username, wanted.role === "admin" ? "promote" : "demote");
  if (changed.has("enabled")) await manage(api, username, wanted.enabled ? "enable" : "disable");
};

/** Defaults of a new user. */
const NEWCOMER: Omit<FileUser, "username" | "display_name"> = {
  role: "user",
  enabled: true,
  group: "default",
  ...toNamedLimits(LIMITS),
};

/** 16 characters that are never shown. */
const createPassword = (): string => randomBytes(12).toString("base64url");

/** Returns the reason why a user cannot become equal to the file. */
const faultOf = (
  wanted: FileUser,
  was: FileUser,
  changed: ReadonlySet<string>,
  isKnown: boolean,
): string | undefined => {
  const isRoot = was.role === "root" || wanted.role === "root";
  if (isRoot && (changed.has("role") || changed.has("enabled")))
    return "root stays root, and no other user becomes root by a file";
  try {
    if (!isKnown) checkUsername(wanted.username);
    if (changed.has("display_name")) checkDisplayName(wanted.display_name);
    if (changed.has("group")) checkGroups(wanted.group);
    return undefined;
  } catch (error) {
    return explain(error);
  }
};

/** Returns the changes of users. Users that a file does not name always stay, because they have money here. */
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
    const fault = faultOf(wanted, was, changed, found !== undefined);
    if (fault !== undefined) file.refuse(path, fault);
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
