import type { Announcement } from "../api/announcements";

/** An announcement to be stored. */
export type NewAnnouncement = Omit<Announcement, "id">;

/** The changed fields of an announcement; absent fields keep their values. */
export type AnnouncementChange = Partial<Omit<Announcement, "id" | "author" | "createdTime">> & {
  updatedTime: number;
};

/** Readers with the groups of a user, or guests: undefined. */
export type AnnouncementReaders = readonly string[] | undefined;
