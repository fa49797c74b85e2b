import type { NoticeTargetBody, NoticeTargetWire } from "@tollgate/contract/api/notices";
import { eventsFor, isNoticeEvent, type NoticeEventName } from "@tollgate/contract/notices/notice-events";
import {
  isSecretField,
  type NoticeFieldName,
  type NoticeTargetName,
  targetFieldsOf,
} from "@tollgate/contract/notices/notice-targets";
import type { Language } from "../../lib/languages";
import type { Scope } from "./scope";

/** A typed target. */
export interface TargetDraft {
  kind: NoticeTargetName;
  name: string;
  isEnabled: boolean;
  language: string;
  events: readonly NoticeEventName[];
  fields: Readonly<Partial<Record<NoticeFieldName, string>>>;
}

export const newDraft = (scope: Scope, language: Language): TargetDraft => ({
  kind: scope === "site" ? "webhook" : "email",
  name: "",
  isEnabled: true,
  language,
  events: eventsFor(scope),
  fields: {},
});

export const draftOf = (target: NoticeTargetWire): TargetDraft => ({
  kind: target.kind,
  name: target.name,
  isEnabled: target.is_enabled,
  language: target.language,
  events: target.events.filter(isNoticeEvent),
  fields: target.fields,
});

/** The fields of a form: users receive mail at their own address. */
export const askedFields = (scope: Scope, kind: NoticeTargetName) =>
  scope === "user" && kind === "email" ? [] : targetFieldsOf(kind);

/** The required fields that are empty; a stored secret counts as filled. */
export const missingFields = (
  scope: Scope,
  { kind, fields }: TargetDraft,
  stored: readonly string[],
): NoticeFieldName[] =>
  askedFields(scope, kind)
    .filter(
      ([name, field]) =>
        !field.isOptional &&
        (fields[name] ?? "").trim() === "" &&
        !(isSecretField(field) && stored.includes(name)),
    )
    .map(([name]) => name);

/** The request body. */
export const bodyOf = (
  scope: Scope,
  draft: TargetDraft,
): Pick<NoticeTargetBody, "kind"> & Partial<NoticeTargetBody> => ({
  kind: draft.kind,
  name: draft.name.trim(),
  is_enabled: draft.isEnabled,
  language: draft.language,
  events: [...draft.events],
  fields: Object.fromEntries(
    askedFields(scope, draft.kind).map(([name]) => [name, (draft.fields[name] ?? "").trim()]),
  ),
});
