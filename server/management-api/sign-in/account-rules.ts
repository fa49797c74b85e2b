import {
  editedLimits,
  type Limits,
  MAX_WINDOW_HOURS,
  missingHalf,
} from "@tollgate/contract/management/limits";
import { MAX_PASSWORD, MIN_PASSWORD } from "@tollgate/contract/sign-in/password-length";
import { mayFavour } from "@tollgate/contract/values/favour";
import { splitList } from "@tollgate/contract/values/split-list";
import { StorageConflict } from "@tollgate/storage/errors";
import type { MessageKey } from "../../locales/catalogue";
import { Failure } from "../failure";

const MAX_USERNAME = 12;
const MAX_DISPLAY_NAME = 20;
const MAX_GROUP = 32;
const MAX_GROUPS = 32;
const MAX_EMAIL = 50;

/** Lengths count characters, not bytes (contract section 1.0). */
const lengthOf = (text: string): number => [...text].length;

/** A character is one or two units of a string: characters of a far too long text are not counted. */
const isLonger = (text: string, most: number): boolean => text.length > 2 * most || lengthOf(text) > most;

/** @throws Failure when it is empty, too long, or has blanks or control characters. */
export const checkUsername = (username: string): void => {
  if (isLonger(username, MAX_USERNAME)) throw new Failure("username-too-long");
  if (username === "" || /[\s\p{C}]/u.test(username)) throw new Failure("username-invalid");
};

/**
 * An edit sends all of a user: an unchanged name may exceed the limit for new ones, as in an imported account.
 * @throws Failure as checkUsername.
 */
export const checkNewUsername = (username: string | undefined, before: string): void => {
  if (username !== undefined && username !== before) checkUsername(username);
};

export const checkDisplayName = (displayName: string): void => {
  if (isLonger(displayName, MAX_DISPLAY_NAME)) throw new Failure("display-name-too-long");
};

export const checkPassword = (password: string): void => {
  if (isLonger(password, MAX_PASSWORD) || lengthOf(password) < MIN_PASSWORD)
    throw new Failure("password-length");
};

/**
 * Applies the rule for money between people before a step that cannot be undone, or that storage does not see. Storage applies it to
 * entries of the ledger (storage/accounts/sql/check-favour.ts).
 * @throws Failure
 */
export const checkFavour = (caller: { role: number }, beneficiary: { role: number }): void => {
  if (!mayFavour(caller.role, beneficiary.role)) throw new Failure("favour-refused");
};

/** @param list a comma list of groups. */
export const checkGroups = (list: string): void => {
  // Must come first: a longer list than allowed is not split.
  if (isLonger(list, MAX_GROUPS * (MAX_GROUP + 1)) || /\p{C}/u.test(list)) throw new Failure("group-invalid");
  const groups = splitList(list);
  if (groups.length > MAX_GROUPS || groups.some((group) => isLonger(group, MAX_GROUP)))
    throw new Failure("group-invalid");
};

const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/;

/** Whether it looks like an address: a name, one @, and a dotted domain. */
export const isEmail = (text: string): boolean =>
  // Must come first: matching a long text may backtrack for long.
  !isLonger(text, MAX_EMAIL) && EMAIL.test(text);

/** @throws Failure unless it is an address. */
export const checkEmail = (email: string): void => {
  if (isLonger(email, MAX_EMAIL)) throw new Failure("email-too-long");
  if (!isEmail(email)) throw new Failure("invalid-parameter").at("email");
};

const CONFLICTS: Partial<Record<string, MessageKey>> = {
  "username-taken": "username-taken",
  "email-taken": "email-taken",
  "last-identity": "last-identity",
  "provider-slug-taken": "provider-slug-taken",
  "not-found": "record-not-found",
  "balance-too-large": "balance-too-large",
};

/**
 * Runs a write and converts a conflict into its sentence.
 * @param identityTaken thrown when an external account belongs to another user.
 */
export const withConflicts = async <T>(write: Promise<T>, identityTaken?: Failure): Promise<T> => {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    if (error.kind === "identity-taken") throw identityTaken ?? error;
    const key = CONFLICTS[error.kind];
    throw key === undefined ? error : new Failure(key);
  }
};

/**
 * Checks limits that mean nothing alone, after an edit.
 * @throws Failure at the missing half.
 */
export const checkLimits = (before: Limits | undefined, edit: Limits): void => {
  const limits = editedLimits(before, edit);
  const missing = missingHalf(limits);
  if (missing === "windowQuota")
    throw new Failure("limit-window-needs-quota", { hours: limits.windowHours ?? 0 });
  if (missing === "windowHours") throw new Failure("limit-window-needs-hours", { max: MAX_WINDOW_HOURS });
};
