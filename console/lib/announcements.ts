import { listLiveAnnouncements } from "@tollgate/contract/api/announcements";
import { useSyncExternalStore } from "react";
import { endpointQuery } from "./endpoint-query";
import { readStored, subscribeStored, writeStored } from "./local-store";
import { useSession } from "./session";

/** Servers with only the one-api contract have no announcements, and the home page is complete without them. */
export const liveAnnouncementsQuery = { ...endpointQuery(listLiveAnnouncements, {}), meta: { silent: true } };

/** Read marks kept per user; the oldest are dropped first. */
const MAX_READ = 1000;

const readIds = (stored: string): number[] =>
  stored
    .split(",")
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0);

/** Announcements that this user has read in this browser. */
export const useReadAnnouncements = () => {
  const { user } = useSession();
  const key = `announcements_read_${user?.id ?? 0}`;
  const stored = useSyncExternalStore(subscribeStored, () => readStored(key) ?? "");
  const read = readIds(stored);
  return {
    isRead: (id: number) => read.includes(id),
    markRead: (ids: readonly number[]) => {
      const fresh = ids.filter((id) => !read.includes(id));
      if (fresh.length > 0) writeStored(key, [...fresh, ...read].slice(0, MAX_READ).join(","));
    },
  };
};
