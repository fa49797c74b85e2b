import { useLocation } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { subscribeStored } from "../lib/local-store";
import { useSession } from "../lib/session";
import { chatLink, offersPlans, useStatus } from "../lib/status";

/** A section is an entry of the menu, with the pages that stand beside its own as tabs; a new page is one line here. */
const SECTIONS = [
  {
    to: "/",
    label: "nav.home",
    for: "everyone",
    pages: [
      { to: "/pricing", label: "nav.pricing", for: "prices" },
      { to: "/status", label: "nav.modelStatus", for: "modelStatus" },
    ],
  },
  {
    to: "/dashboard",
    label: "nav.dashboard",
    for: "users",
    pages: [
      { to: "/cockpit", label: "nav.cockpit", for: "admins" },
      { to: "/profit", label: "nav.profit", for: "admins" },
    ],
  },
  {
    to: "/channel",
    label: "nav.channel",
    for: "admins",
    pages: [
      { to: "/start", label: "nav.start", for: "admins" },
      { to: "/reconciliation", label: "nav.reconciliation", for: "admins" },
    ],
  },
  { to: "/token", label: "nav.token", for: "users", pages: [] },
  { to: "/redemption", label: "nav.redemption", for: "admins", pages: [] },
  {
    to: "/topup",
    label: "nav.topup",
    for: "users",
    pages: [
      { to: "/order", label: "nav.orders", for: "users" },
      { to: "/plan", label: "nav.plan", for: "plans" },
      { to: "/plan/manage", label: "nav.planManage", for: "admins" },
      { to: "/plan/subscribers", label: "nav.subscribers", for: "admins" },
      { to: "/invitation", label: "nav.invitation", for: "users" },
      { to: "/invitation/manage", label: "nav.commissions", for: "admins" },
    ],
  },
  { to: "/user", label: "nav.user", for: "admins", pages: [] },
  {
    to: "/log",
    label: "nav.log",
    for: "users",
    pages: [
      { to: "/ledger", label: "nav.ledger", for: "users" },
      { to: "/statement", label: "nav.statement", for: "users" },
      { to: "/audit", label: "nav.audit", for: "root" },
    ],
  },
  { to: "/node", label: "nav.node", for: "root", pages: [] },
  {
    to: "/setting",
    label: "nav.setting",
    for: "users",
    pages: [
      { to: "/setting/prices", label: "nav.priceLists", for: "admins" },
      { to: "/pricing/rules", label: "nav.priceRules", for: "admins" },
      { to: "/pricing/rehearsal", label: "nav.rehearsal", for: "admins" },
    ],
  },
  { to: "/about", label: "nav.about", for: "everyone", pages: [] },
  { to: "/chat", label: "nav.chat", for: "chat", pages: [] },
] as const;

type AnySection = (typeof SECTIONS)[number];
type Page = Pick<AnySection, "to" | "label"> | AnySection["pages"][number];

/** An entry of the menu as one person sees it. */
export interface Section {
  readonly to: AnySection["to"];
  readonly label: AnySection["label"];
  /** Its pages, its own the first of them. */
  readonly pages: readonly Page[];
}

/** Pages that no entry of the menu leads to. */
const LOGIN_PAGES = [
  { to: "/login", label: "nav.login" },
  { to: "/register", label: "nav.register" },
] as const;

const leadsTo = (to: string, pathname: string): boolean =>
  to === "/" ? pathname === "/" : pathname === to || pathname.startsWith(`${to}/`);

/** The one of these pages whose address says most of this one: `/setting/prices` before `/setting`. */
const pageAt = <P extends { readonly to: string }>(pages: readonly P[], pathname: string): P | undefined => {
  let found: P | undefined;
  for (const page of pages)
    if (leadsTo(page.to, pathname) && page.to.length > (found?.to.length ?? 0)) found = page;
  return found;
};

const ALL_PAGES = [...SECTIONS.flatMap((section) => [section, ...section.pages]), ...LOGIN_PAGES];

/** What the page at this address is called; undefined for one without a name. */
export const pageLabel = (pathname: string) => pageAt(ALL_PAGES, pathname)?.label;

/**
 * The menu's sections for this person (specification section 6): guests see home and about alone, admins see
 * all but the nodes, which are root's, and chat stands there only when a chat link is set.
 */
export const useNavigation = (): Section[] => {
  const { user, isAdmin, isRoot } = useSession();
  const { price_page: pricePage, model_status: statusPage } = useStatus() ?? {};
  const hasChat = useSyncExternalStore(subscribeStored, chatLink) !== "";
  const hasPlans = useSyncExternalStore(subscribeStored, offersPlans);
  const sees = {
    everyone: true,
    users: user !== undefined,
    admins: isAdmin,
    root: isRoot,
    chat: user !== undefined && hasChat,
    plans: user !== undefined && hasPlans,
    prices: pricePage === (user ? "signed-in" : "public") || pricePage === "public",
    modelStatus: statusPage === "public" || (statusPage === "signed-in" && user !== undefined),
  };
  return SECTIONS.filter((section) => sees[section.for]).map((section) => ({
    to: section.to,
    label: section.label,
    pages: [section, ...section.pages.filter((page) => sees[page.for])],
  }));
};

/** Where one is: the section and its page, of those that this person sees. */
export const useCurrentPage = (
  sections: readonly Section[],
): { section: Section | undefined; page: Page | undefined } => {
  const { pathname } = useLocation();
  const page = pageAt(
    sections.flatMap(({ pages }) => pages),
    pathname,
  );
  return { page, section: sections.find(({ pages }) => page !== undefined && pages.includes(page)) };
};
