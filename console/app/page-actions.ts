import type { ParseKeys } from "i18next";
import type { Page } from "./navigation";
import type { SettingTab } from "./setting-tabs";

/** An action of a page, by the name of its button there. */
interface PageAction {
  page: Page["to"];
  /** The tab of /setting that has the button. */
  tab?: SettingTab;
  label: ParseKeys;
  /** Only root has the button. */
  isRootOnly?: boolean;
}

/** The pages with a button that saves all their rows as a file. */
const EXPORTED = [
  "/channel",
  "/dashboard",
  "/ledger",
  "/log",
  "/order",
  "/profit",
  "/redemption",
  "/statement",
  "/user",
] as const;

/**
 * The actions of pages that change or give something. The command leads to the button: a question before the action is
 * the page's own. `app/every-command.test.tsx` compares them with the pages.
 */
export const PAGE_ACTIONS: readonly PageAction[] = [
  { page: "/channel", label: "channel.testAll" },
  { page: "/channel", label: "channel.updateBalances" },
  { page: "/channel", label: "channel.deleteDisabled" },
  { page: "/redemption", label: "redemption.clear" },
  { page: "/plan/subscribers", label: "plan.give" },
  { page: "/pricing/rules", label: "priceRule.add" },
  ...EXPORTED.map((page) => ({ page, label: "action.export" }) as const),
  { page: "/setting", tab: "operation", label: "setting.clearLogs" },
  { page: "/setting", tab: "operation", label: "setting.clearBodies", isRootOnly: true },
  { page: "/setting", label: "personal.accountEdit" },
  { page: "/setting", label: "personal.tokenGenerate" },
  { page: "/setting", label: "personal.inviteCopy" },
  { page: "/setting", label: "personal.bindEmail" },
  { page: "/setting", label: "personal.delete" },
];
