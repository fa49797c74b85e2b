import {
  getNoticeThreshold,
  MAX_NOTICE_NAME,
  MAX_SITE_TARGETS,
  MAX_USER_TARGETS,
  type NoticeOutcomeWire,
  type NoticeTargetBody,
  type NoticeTargetWire,
  type NoticeThresholdWire,
  ownNotices,
  reportBackup,
  type SentNoticeWire,
  setNoticeThreshold,
  siteNotices,
} from "@tollgate/contract/api/notices";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { eventsFor, isNoticeEvent, type NoticeAudience } from "@tollgate/contract/notices/notice-events";
import { isSecretField, targetFieldsOf } from "@tollgate/contract/notices/notice-targets";
import type { AuditAction } from "@tollgate/contract/records/audit-record";
import type {
  NoticeOutcome,
  NoticeOwner,
  NoticeTargetRecord,
  SentNotice,
} from "@tollgate/contract/records/notice-record";
import { RateLimit } from "../../http/rate-limit";
import { LANGUAGES, type Language } from "../../locales/languages";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, type Route, type RouteContext, readPage, takeCall } from "../route";
import type { Services } from "../services";
import { readNoticeFields } from "./notice-fields";

/** Limit of test messages per person: each sends a request to a typed-in server. */
const TESTS = 20;
const TESTS_WINDOW_MS = 600_000;

const encodeTarget = (target: NoticeTargetRecord): NoticeTargetWire => {
  const declared = targetFieldsOf(target.kind);
  const shown = declared.filter(([, field]) => !isSecretField(field));
  return {
    id: target.id,
    kind: target.kind,
    name: target.name,
    is_enabled: target.isEnabled,
    language: target.language,
    events: target.events,
    fields: Object.fromEntries(shown.map(([name]) => [name, target.fields[name] ?? ""])),
    secrets: declared
      .filter(([name, field]) => isSecretField(field) && (target.fields[name] ?? "") !== "")
      .map(([name]) => name),
  };
};

const encodeOutcome = ({ state, fault, status, detail }: NoticeOutcome): NoticeOutcomeWire => ({
  state,
  fault: fault ?? "",
  status,
  detail,
});

const encodeSent = (each: SentNotice): SentNoticeWire => ({
  id: each.id,
  way_id: each.targetId,
  way_kind: each.targetKind,
  way_name: each.targetName,
  event: each.event,
  phase: each.phase,
  subject: each.subject,
  state: each.state,
  fault: each.fault,
  status: each.status,
  detail: each.detail,
  attempts: each.attempts,
  created_at: each.createdAt,
  tried_at: each.triedAt,
});

const readName = (name: string): string => {
  const read = name.replace(/[\p{C}\s]+/gu, " ").trim();
  if ([...read].length > MAX_NOTICE_NAME) throw new Failure("notice-name-length", { limit: MAX_NOTICE_NAME });
  return read;
};

const readLanguage = (tag: string): Language => {
  const found = (Object.keys(LANGUAGES) as Language[]).find((language) => language === tag);
  if (!found) throw new Failure("notice-language-unknown", { languages: Object.keys(LANGUAGES).join(", ") });
  return found;
};

const readEvents = (events: readonly string[], audience: NoticeAudience): NoticeTargetRecord["events"] => {
  const offered = eventsFor(audience);
  for (const event of events)
    if (!isNoticeEvent(event) || !offered.includes(event))
      throw new Failure("notice-event-unknown", { event, events: offered.join(", ") });
  return offered.filter((event) => events.includes(event));
};

/** The fields of a target that are present in a body. */
const readBody = (
  { name, is_enabled: isEnabled, language, events }: NoticeTargetBody,
  audience: NoticeAudience,
) => ({
  ...(name === undefined ? {} : { name: readName(name) }),
  ...(isEnabled === undefined ? {} : { isEnabled }),
  ...(language === undefined ? {} : { language: readLanguage(language) }),
  ...(events === undefined ? {} : { events: readEvents(events, audience) }),
});

/** Calls shared by the site's targets and a user's. */
interface Owned {
  calls: typeof siteNotices | typeof ownNotices;
  audience: NoticeAudience;
  most: number;
  ownerOf(userId: number): NoticeOwner;
}

const SITE: Owned = {
  calls: siteNotices,
  audience: "site",
  most: MAX_SITE_TARGETS,
  ownerOf: () => "site",
};

const OWN: Owned = {
  calls: ownNotices,
  audience: "user",
  most: MAX_USER_TARGETS,
  ownerOf: (userId) => userId,
};

const targetRoutes = (
  services: Services,
  tests: RateLimit,
  { calls, audience, most, ownerOf }: Owned,
): Route[] => {
  const { storage, noticeSender, now } = services;
  const findTarget = async (userId: number, id: number): Promise<NoticeTargetRecord> => {
    const targets = await storage.read.notices.targets(ownerOf(userId));
    return existing(targets.find((each) => each.id === id));
  };
  /** Users are mailed at their own address alone: they cannot have mail sent to others. */
  const fieldsOf = (
    { kind, fields = {} }: Pick<NoticeTargetBody, "kind" | "fields">,
    before?: NoticeTargetRecord,
  ) => (kind === "email" && audience === "user" ? {} : readNoticeFields(kind, fields, before?.fields));
  const note = (
    context: Pick<RouteContext<"user", unknown>, "caller" | "request">,
    action: AuditAction,
    { id, kind, name }: NoticeTargetRecord,
  ) => (audience === "site" ? audit(services, context, action, id, { kind, name }) : undefined);

  return [
    implement(calls.listTargets, async ({ caller }) => {
      return (await storage.read.notices.targets(ownerOf(caller.id))).map(encodeTarget);
    }),
    implement(calls.createTarget, async (context) => {
      const { caller, body, language } = context;
      const target = await storage.write.notices.addTarget(
        ownerOf(caller.id),
        {
          kind: body.kind,
          name: "",
          isEnabled: true,
          language,
          events: eventsFor(audience),
          createdTime: now(),
          ...readBody(body, audience),
          fields: fieldsOf(body),
        },
        most,
      );
      if (!target) throw new Failure("notice-ways-full", { limit: most });
      await note(context, "notice.way.create", target);
      return encodeTarget(target);
    }),
    implement(calls.changeTarget, async (context) => {
      const { caller, body, params } = context;
      const before = await findTarget(caller.id, params.id);
      if (body.kind !== before.kind) throw new Failure("notice-kind-fixed");
      const fields = body.fields === undefined ? {} : { fields: fieldsOf(body, before) };
      const changed = await storage.write.notices.changeTarget(ownerOf(caller.id), before.id, {
        ...readBody(body, audience),
        ...fields,
      });
      if (!changed) throw new Failure("record-not-found");
      await note(context, "notice.way.update", changed);
      return encodeTarget(changed);
    }),
    implement(calls.deleteTarget, async (context) => {
      const target = await findTarget(context.caller.id, context.params.id);
      await storage.write.notices.removeTarget(ownerOf(context.caller.id), target.id);
      await note(context, "notice.way.delete", target);
      return undefined;
    }),
    implement(calls.testTarget, async ({ caller, params }) => {
      const target = await findTarget(caller.id, params.id);
      takeCall(tests, String(caller.id));
      return encodeOutcome(await noticeSender.test(target));
    }),
    implement(calls.listSent, async ({ caller, query }): Promise<SentNoticeWire[]> => {
      const offset = readPage(query) * PAGE_SIZE;
      const sent = await storage.read.notices.sent(ownerOf(caller.id), offset, PAGE_SIZE);
      return sent.map(encodeSent);
    }),
  ];
};

/** Notification targets, and sent notices (docs/guides/notices.md); beyond the contract. */
export const noticeRoutes = (services: Services): Route[] => {
  const { storage, options, notices } = services;
  const tests = new RateLimit(TESTS, TESTS_WINDOW_MS);

  const thresholdOf = async (userId: number): Promise<NoticeThresholdWire> => ({
    own: (await storage.read.notices.remindBelow(userId)) ?? null,
    site: options.number("QuotaRemindThreshold"),
  });

  return [
    ...targetRoutes(services, tests, SITE),
    ...targetRoutes(services, tests, OWN),
    implement(reportBackup, ({ body: { place, reason } }) => {
      if (reason === undefined) notices.resolve("backup-failed", "");
      else notices.raise({ event: "backup-failed", subject: "", params: { place, reason } });
      return undefined;
    }),
    implement(getNoticeThreshold, ({ caller }) => thresholdOf(caller.id)),
    implement(setNoticeThreshold, async ({ caller, body }) => {
      await storage.write.notices.setRemindBelow(caller.id, body.own ?? undefined);
      return thresholdOf(caller.id);
    }),
  ];
};
