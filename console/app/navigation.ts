import { useLocation } from "@tanstack/react-router";
import { listMatters } from "@tollgate/contract/api/attention";
import { areasOf, type PermissionArea } from "@tollgate/contract/management/permission-areas";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { useSyncExternalStore } from "react";
import { subscribeStored } from "../lib/local-store";
import { useSession } from "../lib/session";
import {
  chatLink,
  hasListExtra,
  offersInvoices,
  offersPlans,
  offersPlayground,
  offersTickets,
  useStatus,
} from "../lib/status";

/**
 * The menu's entries: sections of grouped pages; a new page is one line here. A section leads to its first page visible
 * to the user, and is hidden without one. Different groups of users may find a page in two sections, but no single
 * user does.
 */
const SECTIONS = [
  {
    label: "nav.home",
    key: "h",
    groups: [
      {
        pages: [
          { to: "/", label: "nav.home", for: "everyone" },
          { to: "/announcement", label: "nav.announcements", for: "users" },
          { to: "/pricing", label: "nav.pricing", for: "prices" },
          { to: "/status", label: "nav.modelStatus", for: "modelStatus" },
          { to: "/ticket", label: "nav.ticket", for: "tickets" },
        ],
      },
    ],
  },
  {
    label: "nav.dashboard",
    key: "d",
    groups: [
      {
        pages: [
          { to: "/cockpit", label: "nav.cockpit", for: "cockpit" },
          { to: "/dashboard", label: "nav.usage", for: "users" },
          { to: "/profit", label: "nav.profit", for: "admins", area: "profit" },
        ],
      },
    ],
  },
  {
    label: "nav.channel",
    key: "c",
    groups: [
      {
        label: "nav.group.upstreams",
        pages: [
          { to: "/channel", label: "nav.channel", for: "admins", area: "channels" },
          { to: "/channel/comparison", label: "nav.upstreamModels", for: "admins", area: "channels" },
          { to: "/start", label: "nav.start", for: "admins", area: "channels" },
        ],
      },
      {
        label: "nav.group.costs",
        pages: [{ to: "/reconciliation", label: "nav.reconciliation", for: "admins", area: "profit" }],
      },
    ],
  },
  {
    label: "nav.token",
    key: "t",
    groups: [
      {
        pages: [
          { to: "/token", label: "nav.token", for: "users" },
          { to: "/token/connect", label: "nav.connect", for: "users" },
          { to: "/playground", label: "nav.playground", for: "playground" },
        ],
      },
    ],
  },
  {
    label: "nav.redemption",
    key: "r",
    groups: [
      {
        pages: [
          { to: "/redemption", label: "nav.redemption", for: "admins", area: "redemptions" },
          { to: "/promotion", label: "nav.promotion", for: "admins", area: "promotions" },
        ],
      },
    ],
  },
  {
    label: "nav.topup",
    key: "b",
    groups: [
      {
        label: "nav.group.balance",
        pages: [
          { to: "/topup", label: "nav.balance", for: "users" },
          { to: "/plan", label: "nav.plan", for: "plans" },
        ],
      },
      {
        label: "nav.group.records",
        pages: [
          { to: "/order", label: "nav.ownOrders", for: "customers" },
          { to: "/statement", label: "nav.statement", for: "users" },
          { to: "/invoice", label: "nav.invoice", for: "invoices" },
        ],
      },
      {
        label: "nav.group.referral",
        pages: [{ to: "/invitation", label: "nav.invitation", for: "users" }],
      },
    ],
  },
  {
    label: "nav.user",
    key: "u",
    groups: [
      {
        label: "nav.group.customers",
        pages: [
          { to: "/user", label: "nav.user", for: "admins", area: "users" },
          { to: "/pricing/rules", label: "nav.priceRules", for: "admins", area: "prices" },
          { to: "/permission", label: "nav.permission", for: "permissionSets" },
          { to: "/ticket/manage", label: "nav.ticketManage", for: "ticketAdmins", area: "tickets" },
        ],
      },
      {
        label: "nav.group.sales",
        pages: [
          { to: "/order", label: "nav.orders", for: "admins", area: "orders" },
          { to: "/invoice/manage", label: "nav.invoiceManage", for: "invoiceAdmins", area: "invoices" },
          { to: "/plan/manage", label: "nav.planManage", for: "admins", area: "plans" },
          { to: "/plan/subscribers", label: "nav.subscribers", for: "admins", area: "plans" },
          { to: "/invitation/manage", label: "nav.commissions", for: "admins", area: "balances" },
        ],
      },
    ],
  },
  {
    label: "nav.log",
    key: "l",
    groups: [
      {
        label: "nav.group.usage",
        pages: [
          { to: "/log", label: "nav.requests", for: "users" },
          { to: "/ledger", label: "nav.ledger", for: "users" },
        ],
      },
      { label: "nav.group.changes", pages: [{ to: "/audit", label: "nav.audit", for: "root" }] },
    ],
  },
  {
    label: "nav.setting",
    key: "s",
    groups: [
      {
        pages: [
          { to: "/setting", label: "nav.setting", for: "users" },
          {
            to: "/setting/announcements",
            label: "nav.announcementManage",
            for: "admins",
            area: "announcements",
          },
          { to: "/setting/errors", label: "nav.errorRules", for: "admins", area: "options" },
          { to: "/setting/terms", label: "nav.terms", for: "root" },
        ],
      },
      {
        label: "nav.group.prices",
        pages: [
          { to: "/setting/prices", label: "nav.priceLists", for: "admins", area: "prices" },
          { to: "/pricing/rehearsal", label: "nav.rehearsal", for: "admins", area: "prices" },
        ],
      },
      { label: "nav.group.installation", pages: [{ to: "/node", label: "nav.node", for: "root" }] },
    ],
  },
  {
    label: "nav.about",
    key: "a",
    groups: [{ pages: [{ to: "/about", label: "nav.about", for: "everyone" }] }],
  },
  { label: "nav.chat", key: "m", groups: [{ pages: [{ to: "/chat", label: "nav.chat", for: "chat" }] }] },
] as const;

type AnySection = (typeof SECTIONS)[number];
type AnyGroup = AnySection["groups"][number];
export type Page = AnyGroup["pages"][number];

/** Pages of a section under one label. */
export interface PageGroup {
  /** Absent if the section's name suffices. */
  readonly label: Extract<AnyGroup, { label: string }>["label"] | undefined;
  readonly pages: readonly Page[];
}

/** An entry of the menu for one user. */
export interface Section {
  /** Its first page. */
  readonly to: Page["to"];
  readonly label: AnySection["label"];
  /** The letter that leads there after `g` (shortcut-keys.ts). */
  readonly key: AnySection["key"];
  readonly groups: readonly PageGroup[];
  readonly pages: readonly Page[];
  /** The site has not yet reported whether there are more pages. */
  readonly isUncertain: boolean;
}

/** Pages outside the menu. */
const LOGIN_PAGES = [
  { to: "/login", label: "nav.login" },
  { to: "/register", label: "nav.register" },
] as const;

const leadsTo = (to: string, pathname: string): boolean =>
  to === "/" ? pathname === "/" : pathname === to || pathname.startsWith(`${to}/`);

/** The page with the longest matching address: `/setting/prices` before `/setting`. */
const pageAt = <P extends { readonly to: string }>(pages: readonly P[], pathname: string): P | undefined => {
  let found: P | undefined;
  for (const page of pages)
    if (leadsTo(page.to, pathname) && page.to.length > (found?.to.length ?? 0)) found = page;
  return found;
};

const pagesOf = ({ groups }: AnySection): readonly Page[] =>
  groups.flatMap(({ pages }): readonly Page[] => pages);

const ALL_PAGES = [...SECTIONS.flatMap(pagesOf), ...LOGIN_PAGES];

/** The area of permissions that a page of administrators belongs to. */
const areaOf = (page: Page): PermissionArea | undefined => ("area" in page ? page.area : undefined);

const hasPermissionSets = (): boolean => hasListExtra("permission-sets");

/** All pages, those of an address that several groups of users have without the administrators'. */
const ADMIN_PAGES: readonly Page[] = SECTIONS.flatMap(pagesOf).filter(({ to }) => to !== "/order");

/** Own pages whose addresses are below one of administrators. */
const OWN_PATHS: readonly string[] = ["/user/edit", "/user/reset"];

/** What an administrator may do on the page at an address: nothing, read alone, or all. */
export const usePageRight = (): "none" | "read" | "all" => {
  const { isAdmin, may } = useSession();
  const { pathname } = useLocation();
  const path = stripEnd(pathname, "/");
  if (!isAdmin || OWN_PATHS.includes(path)) return "all";
  const page = pageAt(ADMIN_PAGES, path);
  const area = page && areaOf(page);
  if (area === undefined || may(area, "change")) return "all";
  return may(area) ? "read" : "none";
};

/** Whether a page exists only if the site offers it. */
const isOptional = (page: Page): boolean =>
  page.for === "prices" ||
  page.for === "modelStatus" ||
  page.for === "plans" ||
  page.for === "playground" ||
  page.for === "invoices" ||
  page.for === "tickets" ||
  page.for === "permissionSets" ||
  page.for === "ticketAdmins" ||
  page.for === "invoiceAdmins";

/** The name of the page at this address; undefined if it has none. */
export const pageLabel = (pathname: string) => pageAt(ALL_PAGES, pathname)?.label;

/** Whether the navigation has exactly this address. */
export const hasOwnEntry = (path: string): boolean => ALL_PAGES.some(({ to }) => to === path);

/**
 * The menu's sections for this user (specification section 6): guests see only home and about, and chat requires a
 * configured chat link.
 */
export const useNavigation = (): Section[] => {
  const { user, isAdmin, isRoot, may } = useSession();
  const status = useStatus();
  const { price_page: pricePage, model_status: statusPage } = status ?? {};
  const hasChat = useSyncExternalStore(subscribeStored, chatLink) !== "";
  const hasPlans = useSyncExternalStore(subscribeStored, offersPlans);
  const hasInvoices = useSyncExternalStore(subscribeStored, offersInvoices);
  const hasSets = useSyncExternalStore(subscribeStored, hasPermissionSets);
  const hasTickets = useSyncExternalStore(subscribeStored, offersTickets);
  const hasPlayground = useSyncExternalStore(subscribeStored, offersPlayground);
  const sees = {
    everyone: true,
    users: user !== undefined,
    customers: user !== undefined && !may("orders"),
    cockpit: areasOf(listMatters).some((area) => may(area)),
    admins: isAdmin,
    root: isRoot,
    permissionSets: isRoot && hasSets,
    chat: user !== undefined && hasChat,
    plans: user !== undefined && hasPlans,
    playground: user !== undefined && hasPlayground,
    invoices: user !== undefined && hasInvoices,
    invoiceAdmins: isAdmin && hasInvoices,
    tickets: user !== undefined && hasTickets,
    ticketAdmins: isAdmin && hasTickets,
    prices: pricePage === (user ? "signed-in" : "public") || pricePage === "public",
    modelStatus: statusPage === "public" || (statusPage === "signed-in" && user !== undefined),
  };
  const mayOpen = (page: Page): boolean => {
    const area = areaOf(page);
    return area === undefined || may(area);
  };
  return SECTIONS.flatMap((section): Section[] => {
    const groups = section.groups
      .map(
        (group): PageGroup => ({
          label: "label" in group ? group.label : undefined,
          pages: (group.pages as readonly Page[]).filter((page) => sees[page.for] && mayOpen(page)),
        }),
      )
      .filter(({ pages }) => pages.length > 0);
    const pages = groups.flatMap((group) => group.pages);
    const [first] = pages;
    if (!first) return [];
    const isUncertain = user !== undefined && status === undefined && pagesOf(section).some(isOptional);
    return [{ to: first.to, label: section.label, key: section.key, groups, pages, isUncertain }];
  });
};

/** The current section and page, among the sections visible to this user. */
export interface CurrentPage {
  sections: readonly Section[];
  section: Section | undefined;
  page: Page | undefined;
}

/** Paths that stand for a page whose address does not show its section: the first one visible to the user counts. */
const candidatePaths = (pathname: string): readonly string[] =>
  pathname.startsWith("/model/") ? ["/pricing", "/status", "/"] : [pathname];

export const useCurrentPage = (): CurrentPage => {
  const sections = useNavigation();
  const { pathname } = useLocation();
  const seen = sections.flatMap(({ pages }) => pages);
  const page = candidatePaths(pathname)
    .map((path) => pageAt(seen, path))
    .find((each) => each !== undefined);
  const section = sections.find(({ pages }) => page !== undefined && pages.includes(page));
  // Until the site reports that it offers such a page, its future section is the current one.
  const awaited =
    page === undefined
      ? SECTIONS.find((each) => pageAt(pagesOf(each).filter(isOptional), pathname) !== undefined)
      : undefined;
  return {
    sections,
    page,
    section: awaited
      ? sections.find(({ isUncertain, label }) => isUncertain && label === awaited.label)
      : section,
  };
};
