import type { NoticeAudience } from "@tollgate/contract/notices/notice-events";

/** Whose notices a page is about: the site's, or those of the person who is signed in. */
export type Scope = NoticeAudience;

export const pathOf = (scope: Scope): string => (scope === "site" ? "/api/notice" : "/api/user/notice");
