import { LIMITS, type Limits, readLimits } from "../management/limits";
import type { ProviderKey } from "../records/sign-in-provider-record";
import {
  blankOf,
  type FieldValues,
  int,
  maybeText,
  noText,
  pickFields,
  text,
  toWireNames,
} from "../resource/fields";
import { mapped, resource, type WireOf } from "../resource/resource";
import { SIGN_IN_METHODS, type SignInMethod, type SignInMethodName } from "../sign-in/methods";

/** Accounts elsewhere that are bound to a user, by sign-in method; unbound methods are missing. */
export type Identities = Readonly<Partial<Record<SignInMethodName, string>>> & {
  /** Of providers that root has added; answers about users leave them out. */
  readonly [key: ProviderKey]: string | undefined;
};

type IdentityFields = {
  [Method in SignInMethod as Method["name"]]: ReturnType<typeof text<Method["userField"]>>;
};

const identityFields = Object.fromEntries(
  SIGN_IN_METHODS.map(({ name, userField }) => [name, text(userField)]),
) as IdentityFields;

const NOTHING_BOUND = Object.fromEntries(SIGN_IN_METHODS.map(({ name }) => [name, ""])) as Record<
  SignInMethodName,
  ""
>;

const firstFields = {
  id: int("id"),
  username: text("username"),
  password: noText("password"),
  displayName: text("display_name"),
  role: int("role"),
  status: int("status"),
  email: text("email"),
};

const lastFields = {
  verificationCode: noText("verification_code"),
  accessToken: text("access_token"),
  /** Spendable quota; never below zero. */
  quota: int("quota"),
  usedQuota: int("used_quota"),
  requestCount: int("request_count"),
  group: text("group"),
  affCode: text("aff_code"),
  inviterId: int("inviter_id"),
};

/** The User object of the contract: inner names of its fields, and their names on the wire. */
const userFields = {
  ...firstFields,
  ...identityFields,
  ...lastFields,
  /** Not part of the contract, and only there where something is limited. */
  ...LIMITS,
  /** Not part of the contract, and only there where the user has aliases: their JSON text. */
  modelAliases: maybeText("model_aliases"),
  /** Not part of the contract, and only there for an administrator with a set of permissions: its id. */
  permissionSet: maybeText("permission_set"),
  /** The set's rights, separated by commas; told to the administrator alone. */
  permissions: maybeText("permissions"),
};

const { password: _password, ...ownFirst } = firstFields;
const { verificationCode: _code, accessToken: _token, ...ownLast } = lastFields;

/** Fields of every user. Their columns have their names on the wire. */
export const USER_FIELDS = { ...ownFirst, ...ownLast };

/** A user as the gateway knows it. Never holds a password, its hash or an access token. */
export interface User extends FieldValues<typeof USER_FIELDS> {
  identities: Identities;
  limits?: Limits | undefined;
  /** JSON text of the names that stand for models, for all of the user's keys; "" for none. */
  modelAliases?: string | undefined;
  /** The set of permissions that narrows an administrator's rights; undefined or "" for none. */
  permissionSet?: string | undefined;
}

/** A user with fields for the owner alone (contract section 9 allows hiding them everywhere else). */
export interface OwnUser extends User {
  accessToken?: string | undefined;
  /** The rights of its set, separated by commas; undefined without a set. */
  permissions?: string | undefined;
}

const readIdentities = (read: Readonly<Record<SignInMethodName, string>>): Identities => {
  const identities: Partial<Record<SignInMethodName, string>> = {};
  for (const { name } of SIGN_IN_METHODS) if (read[name] !== "") identities[name] = read[name];
  return identities;
};

/** A user, as answers have it; every field of the contract is always present. */
export const user = mapped(resource(userFields), {
  encode: ({
    limits,
    identities,
    accessToken = "",
    modelAliases,
    permissionSet,
    permissions = "",
    ...value
  }: OwnUser) => ({
    ...value,
    ...NOTHING_BOUND,
    ...identities,
    password: "" as const,
    verificationCode: "" as const,
    accessToken,
    ...limits,
    ...(modelAliases ? { modelAliases } : {}),
    ...(permissionSet ? { permissionSet, permissions } : {}),
  }),
  read: (read): OwnUser => ({
    ...pickFields(USER_FIELDS, read),
    identities: readIdentities(read),
    limits: readLimits(pickFields(LIMITS, read)),
    modelAliases: read.modelAliases || undefined,
    permissionSet: read.permissionSet || undefined,
    permissions: read.permissionSet ? (read.permissions ?? "") : undefined,
  }),
});

/** The User object as it travels. */
export type UserWire = WireOf<typeof user>;

/** A user with nothing in it: answers that tell only some fields have all of them (contract section 1.0). */
export const BLANK_USER: User = { ...blankOf(USER_FIELDS), identities: {} };

/** Identifying fields of a user, which the sign-in returns. */
export const loginUserOf = ({
  id,
  username,
  displayName,
  role,
  status,
  permissionSet,
  permissions,
}: OwnUser): OwnUser => ({
  ...BLANK_USER,
  id,
  username,
  displayName,
  role,
  status,
  ...(permissionSet ? { permissionSet, permissions } : {}),
});

/** Encodes the bound accounts of the contract's methods, as a client sends them with a user: "" for unbound ones. */
export const encodeIdentities = (identities: Identities): Readonly<Record<string, string>> =>
  Object.fromEntries(
    SIGN_IN_METHODS.filter(({ isExtra }) => !isExtra).map(({ name, userField }) => [
      userField,
      identities[name] ?? "",
    ]),
  );

/** Fields of a user in requests: those of the object, and some that only requests have. */
export const userBodyFields = {
  ...userFields,
  originalPassword: text("original_password"),
  originalQuota: int("original_quota"),
  /** A promotion code, in registrations. */
  promotionCode: text("promotion_code"),
  /** The accepted version of the terms, in registrations. */
  termsVersion: int("terms_version"),
};

/** Renames a client's fields of a user to those of the wire. */
export const encodeUserBody = <const Body extends object>(body: Body) => toWireNames(userBodyFields, body);
