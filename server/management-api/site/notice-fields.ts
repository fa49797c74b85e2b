import type { TargetField } from "@tollgate/contract/notices/notice-target";
import {
  isSecretField,
  type NoticeTargetName,
  targetFieldsOf,
} from "@tollgate/contract/notices/notice-targets";
import { Failure } from "../failure";

/** A web address without a name and a password in it, which browsers and logs would show. */
const isAddress = (value: string): boolean => {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value) || /[\s\p{C}]/u.test(value)) return false;
  const { username, password, hostname } = new URL(value);
  return username === "" && password === "" && hostname !== "";
};

const isUsable = ({ type, pattern }: TargetField, value: string): boolean => {
  if (type === "url" || type === "secret-url") return isAddress(value);
  return !/\p{C}/u.test(value) && (pattern?.test(value) ?? true);
};

/** @param name of a declared field */
const refused = (key: `notice-${"field-needed" | "field-invalid" | "secret-anew"}`, name: string): Failure =>
  new Failure(key, { field: name }).at(`fields.${name}`);

/**
 * The fields of a target to store.
 * @param given as typed: a secret that is "" keeps its value. @param before the stored fields of an existing target.
 * @throws Failure for a missing or invalid field, and when a stored secret would go to another address: a person who
 * may change the address could learn the secret.
 */
export const readNoticeFields = (
  kind: NoticeTargetName,
  given: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> => {
  const declared = targetFieldsOf(kind);
  const fields: Record<string, string> = {};
  for (const [name, field] of declared) {
    const typed = given[name]?.trim();
    const isKept = typed === undefined || (typed === "" && isSecretField(field));
    const value = isKept ? (before[name] ?? "") : typed;
    if (value === "" && !field.isOptional) throw refused("notice-field-needed", name);
    if (value !== "" && !isUsable(field, value)) throw refused("notice-field-invalid", name);
    fields[name] = value;
  }
  const isMoved = declared.some(
    ([name, { type }]) =>
      type === "url" && Object.hasOwn(before, name) && (before[name] ?? "") !== fields[name],
  );
  const keptSecret = declared.find(
    ([name, field]) => isSecretField(field) && fields[name] !== "" && (given[name]?.trim() ?? "") === "",
  );
  if (isMoved && keptSecret) throw refused("notice-secret-anew", keptSecret[0]);
  return fields;
};
