import {
  getAnnouncement,
  listAnnouncements,
  listPastAnnouncements,
} from "@tollgate/contract/api/announcements";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";

/** Servers with only the one-api contract have no announcements. */
const extra = { isExtra: true };

export const announcementPages = endpointPages(listAnnouncements, {}, extra);

export const queriedAnnouncements = endpointQueried(listAnnouncements);

export const pastAnnouncements = endpointPages(listPastAnnouncements, {}, extra);

/** One announcement, always read again: its form must not begin with outdated values. */
export const announcementQuery = (id: number) => ({
  ...endpointQuery(getAnnouncement, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
  meta: extra,
});
