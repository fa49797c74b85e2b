/** The tabs of /setting (specification section 7); users other than administrators see only the first. */
export const SETTING_TABS = ["personal", "operation", "system", "other"] as const;
export type SettingTab = (typeof SETTING_TABS)[number];

/** The cards of the personal tab, by element id. */
export const PERSONAL_CARDS = [
  { id: "section-profile", title: "personal.section.profile" },
  { id: "section-security", title: "personal.section.security" },
  { id: "section-binding", title: "personal.binding" },
  { id: "section-notices", title: "notice.own.title", isNotice: true },
  { id: "section-sent", title: "notice.sent.title", isNotice: true },
  { id: "section-own", title: "personal.section.other" },
] as const;
