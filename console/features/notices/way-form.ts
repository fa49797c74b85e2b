import type { NoticeWayBody, NoticeWayWire } from "@tollgate/contract/api/notices";
import { eventsFor, isNoticeEvent, type NoticeEventName } from "@tollgate/contract/notices/notice-events";
import {
  isSecretField,
  type NoticeFieldName,
  type NoticeWayName,
  wayFieldsOf,
} from "@tollgate/contract/notices/notice-ways";
import type { Language } from "../../lib/languages";
import type { Scope } from "./scope";

/** A way as it is typed. */
export interface WayDraft {
  kind: NoticeWayName;
  name: string;
  isEnabled: boolean;
  language: string;
  events: readonly NoticeEventName[];
  fields: Readonly<Partial<Record<NoticeFieldName, string>>>;
}

export const newDraft = (scope: Scope, language: Language): WayDraft => ({
  kind: scope === "site" ? "webhook" : "email",
  name: "",
  isEnabled: true,
  language,
  events: eventsFor(scope),
  fields: {},
});

export const draftOf = (way: NoticeWayWire): WayDraft => ({
  kind: way.kind,
  name: way.name,
  isEnabled: way.is_enabled,
  language: way.language,
  events: way.events.filter(isNoticeEvent),
  fields: way.fields,
});

/** The fields that are asked for: users are mailed at their own address. */
export const askedFields = (scope: Scope, kind: NoticeWayName) =>
  scope === "user" && kind === "email" ? [] : wayFieldsOf(kind);

/** The fields that must be filled and are not; a stored secret counts as filled. */
export const missingFields = (
  scope: Scope,
  { kind, fields }: WayDraft,
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

/** What is sent of it. */
export const bodyOf = (
  scope: Scope,
  draft: WayDraft,
): Pick<NoticeWayBody, "kind"> & Partial<NoticeWayBody> => ({
  kind: draft.kind,
  name: draft.name.trim(),
  is_enabled: draft.isEnabled,
  language: draft.language,
  events: [...draft.events],
  fields: Object.fromEntries(
    askedFields(scope, draft.kind).map(([name]) => [name, (draft.fields[name] ?? "").trim()]),
  ),
});
