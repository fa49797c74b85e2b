import { ownNotices, siteNotices } from "@tollgate/contract/api/notices";
import type { NoticeAudience } from "@tollgate/contract/notices/notice-events";

/** Whose notices a page is about: the site's, or those of the person who is signed in. */
export type Scope = NoticeAudience;

/** The calls about them. */
export const noticesOf = (scope: Scope) => (scope === "site" ? siteNotices : ownNotices);
