import type { User } from "@tollgate/accounts/users";
import {
  ANNOUNCEMENT_FILTERS,
  ANNOUNCEMENT_SORTS,
  type Announcement,
  type AnnouncementBody,
  changeAnnouncement,
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  listAnnouncements,
  listLiveAnnouncements,
  listPastAnnouncements,
  MAX_ANNOUNCEMENT_BODY,
  MAX_ANNOUNCEMENT_TITLE,
  MAX_ANNOUNCEMENTS,
  MAX_LIVE_ANNOUNCEMENTS,
} from "@tollgate/contract/api/announcements";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { splitList } from "@tollgate/contract/values/split-list";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, readFilter, readListPage, readMaybeCaller, readPage } from "../route";
import type { Services } from "../services";
import { checkGroups } from "../sign-in/account-rules";

/** The settings of an announcement, which an administrator chooses. */
type AnnouncementSettings = Omit<Announcement, "id" | "author" | "createdTime" | "updatedTime">;

const NEW_ANNOUNCEMENT: Omit<AnnouncementSettings, "startsAt"> = {
  title: "",
  body: "",
  level: "info",
  isPinned: false,
  groups: "",
  isPublic: false,
  endsAt: 0,
};

const isLonger = (text: string, most: number): boolean => text.length > 2 * most || [...text].length > most;

/** Line breaks and tabs belong to Markdown; other control characters do not. */
const CONTROL_CHARACTERS = /[^\P{Cc}\n\r\t]/u;

/** @throws Failure that names the fault. */
const checkAnnouncement = ({ title, body, groups, isPublic, startsAt, endsAt }: AnnouncementSettings) => {
  if (title.trim() === "" || isLonger(title, MAX_ANNOUNCEMENT_TITLE) || /\p{Cc}/u.test(title))
    throw new Failure("announcement-title-length", { limit: MAX_ANNOUNCEMENT_TITLE });
  if (isLonger(body, MAX_ANNOUNCEMENT_BODY) || CONTROL_CHARACTERS.test(body))
    throw new Failure("announcement-body-length", { limit: MAX_ANNOUNCEMENT_BODY });
  checkGroups(groups);
  if (isPublic && groups !== "") throw new Failure("announcement-public-groups");
  if (endsAt !== 0 && endsAt <= startsAt) throw new Failure("announcement-end-before-start");
};

/** The given fields of a body, with groups as they are stored. */
const readSettings = ({ groups, ...rest }: AnnouncementBody): Partial<AnnouncementSettings> => {
  // Must come first: a longer list than allowed is not split.
  if (groups !== undefined) checkGroups(groups);
  const given = { ...rest, groups: groups === undefined ? undefined : splitList(groups).join(",") };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
};

/** The audit names the announcement without its body. */
const toAuditEntry = ({ body, ...settings }: Partial<AnnouncementSettings>): Record<string, unknown> => ({
  ...settings,
  ...(body === undefined ? {} : { bodyLength: body.length }),
});

/** @throws Failure */
const findAnnouncement = async ({ storage }: Services, id: number): Promise<Announcement> =>
  existing(await storage.read.announcements.find(id));

const readersOf = (user: User | undefined) => user?.groups;

/** Announcements of the site (docs/guides/announcements.md); beyond the contract. */
export const announcementRoutes = [
  implement(listAnnouncements, ({ services, query }) =>
    services.storage.read.announcements.page(
      ...readListPage(query, ANNOUNCEMENT_SORTS),
      readFilter(query, ANNOUNCEMENT_FILTERS),
    ),
  ),

  implement(listLiveAnnouncements, async ({ services, request }) => {
    const readers = readersOf(await readMaybeCaller(services, request));
    return services.storage.read.announcements.live(readers, services.now(), MAX_LIVE_ANNOUNCEMENTS);
  }),

  implement(listPastAnnouncements, async ({ services, request, query }) => {
    const readers = readersOf(await readMaybeCaller(services, request));
    const offset = readPage(query) * PAGE_SIZE;
    return services.storage.read.announcements.started(readers, services.now(), offset, PAGE_SIZE);
  }),

  implement(getAnnouncement, ({ services, params }) => findAnnouncement(services, params.id)),

  implement(createAnnouncement, async (context) => {
    const { services, body, caller } = context;
    const now = services.now();
    const settings = { ...NEW_ANNOUNCEMENT, startsAt: now, ...readSettings(body) };
    checkAnnouncement(settings);
    const made = await services.storage.write.announcements.create(
      { ...settings, author: caller.username, createdTime: now, updatedTime: now },
      MAX_ANNOUNCEMENTS,
    );
    if (!made) throw new Failure("announcements-too-many", { limit: MAX_ANNOUNCEMENTS });
    await audit(services, context, "announcement.create", made.id, toAuditEntry(settings));
    return made;
  }),

  implement(changeAnnouncement, async (context) => {
    const { services, params } = context;
    const change = readSettings(context.body);
    checkAnnouncement({ ...(await findAnnouncement(services, params.id)), ...change });
    const changed = await services.storage.write.announcements.change(params.id, {
      ...change,
      updatedTime: services.now(),
    });
    if (!changed) throw new Failure("record-not-found");
    await audit(services, context, "announcement.update", params.id, toAuditEntry(change));
    return changed;
  }),

  implement(deleteAnnouncement, async (context) => {
    const { services, params } = context;
    const { title } = await findAnnouncement(services, params.id);
    if (!(await services.storage.write.announcements.remove(params.id)))
      throw new Failure("record-not-found");
    await audit(services, context, "announcement.delete", params.id, { title });
    return undefined;
  }),
];
