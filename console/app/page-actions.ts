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
  /** Only a site where quota can be bought has the button. */
  isOfPayments?: boolean;
}

/** The pages with a button that saves all their rows as a file. */
const EXPORTED = [
  "/audit",
  "/channel",
  "/dashboard",
  "/invoice/manage",
  "/ledger",
  "/log",
  "/order",
  "/profit",
  "/promotion",
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
  { page: "/start", label: "quickStart.connect" },
  { page: "/redemption", label: "redemption.clear" },
  { page: "/topup", label: "topup.redeem" },
  { page: "/topup", label: "topup.getCode" },
  { page: "/topup", label: "order.pay", isOfPayments: true },
  { page: "/plan/subscribers", label: "plan.give" },
  { page: "/pricing/rules", label: "priceRule.add" },
  { page: "/pricing/rehearsal", label: "rehearsal.create" },
  { page: "/setting/prices", label: "price.compare" },
  ...EXPORTED.map((page) => ({ page, label: "action.export" }) as const),
  { page: "/setting", tab: "operation", label: "setting.clearLogs" },
  { page: "/setting", tab: "operation", label: "setting.clearBodies", isRootOnly: true },
  { page: "/setting", tab: "system", label: "notice.add", isRootOnly: true },
  { page: "/setting", label: "personal.accountEdit" },
  { page: "/setting", label: "personal.tokenGenerate" },
  { page: "/setting", label: "personal.inviteCopy" },
  { page: "/setting", label: "personal.bindEmail" },
  { page: "/setting", label: "personal.delete" },
  { page: "/setting", label: "notice.add" },
];
