import { ownNotices, siteNotices } from "@tollgate/contract/api/notices";
import type { NoticeAudience } from "@tollgate/contract/notices/notice-events";

/** Scope of the notices: the site's, or the signed-in user's. */
export type Scope = NoticeAudience;

/** The calls for a scope. */
export const noticesOf = (scope: Scope) => (scope === "site" ? siteNotices : ownNotices);
