import {
  MAX_ANNOUNCEMENT_BODY,
  MAX_ANNOUNCEMENT_TITLE,
  MAX_ANNOUNCEMENTS,
} from "@tollgate/contract/api/announcements";
import type { NewAnnouncement } from "@tollgate/contract/records/announcement-record";
import { readArray, readRecord, readString } from "@tollgate/protocols/shared/json/json-values";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import type { AddRemark } from "./mapped";
import type { OptionRow } from "./source-rows";

/** new-api's option of announcements, and the switch that hides them; its older names have no prefix. */
const LISTS: readonly string[] = ["console_setting.announcements", "Announcements"];
const SWITCHES: readonly string[] = ["console_setting.announcements_enabled", "AnnouncementsEnabled"];
export const ANNOUNCEMENT_OPTIONS: ReadonlySet<string> = new Set([...LISTS, ...SWITCHES]);

const WARNINGS: ReadonlySet<unknown> = new Set(["warning", "error"]);

/** Cut between characters, of which each is two units of a text at most. */
const cut = (text: string, length: number): string =>
  [...text.slice(0, 2 * length)].slice(0, length).join("");

/** A title stands in so much of a text: marks are looked for again at every character. */
const MAX_LOOKED_AT = 2000;

/** The first line without marks of Markdown and HTML; announcements of new-api have no title. */
const titleOf = (text: string): string => {
  const lines = cut(text, MAX_LOOKED_AT)
    .split("\n")
    .map((line) =>
      line
        .replace(/<[^>]*>/g, "")
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/[*_`#>]/g, "")
        .replace(/\p{Cc}/gu, " ")
        .trim(),
    );
  return cut(lines.find((line) => line !== "") ?? "", MAX_ANNOUNCEMENT_TITLE).trim();
};

/** An announcement as it is stored; undefined for one without a text or a date. */
const mapOne = (written: unknown): NewAnnouncement | undefined => {
  const { content, extra, publishDate, type } = readRecord(written);
  const text = readString(content)
    .replaceAll("\r\n", "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
  const more = readString(extra)
    .replaceAll("\r\n", "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
  const title = titleOf(text);
  const startsAt = Math.floor(Date.parse(readString(publishDate)) / 1000);
  if (title === "" || !Number.isSafeInteger(startsAt) || startsAt < 0) return undefined;
  const body = [title === text ? "" : text, more].filter(Boolean).join("\n\n");
  return {
    title,
    body: cut(body, MAX_ANNOUNCEMENT_BODY),
    level: WARNINGS.has(type) ? "warning" : "info",
    isPinned: false,
    groups: "",
    isPublic: false,
    author: "",
    startsAt,
    endsAt: 0,
    createdTime: startsAt,
    updatedTime: startsAt,
  };
};

/** new-api's announcements; its Notice is an option that both have. */
export const mapAnnouncements = (rows: readonly OptionRow[], addRemark: AddRemark): NewAnnouncement[] => {
  const row = rows.find(({ key, value = "" }) => LISTS.includes(key) && value.trim() !== "");
  const written = readArray(parseJson(row?.value ?? ""));
  if (!row || written.length === 0) return [];
  if (rows.some(({ key, value }) => SWITCHES.includes(key) && value === "false")) {
    addRemark(row.key, "left-out", "announcements-off", { count: written.length });
    return [];
  }
  const found = written.flatMap((each) => mapOne(each) ?? []).slice(0, MAX_ANNOUNCEMENTS);
  if (found.length > 0) addRemark(row.key, "changed", "announcements-imported", { count: found.length });
  if (found.length < written.length)
    addRemark(row.key, found.length > 0 ? "changed" : "left-out", "announcements-unreadable", {
      count: written.length - found.length,
    });
  return found;
};
