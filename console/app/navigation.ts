import { useLocation } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { subscribeStored } from "../lib/local-store";
import { useSession } from "../lib/session";
import { chatLink, offersPlans, useStatus } from "../lib/status";

/**
 * The entries of the menu, each a section of pages in groups; a new page is one line here. A section leads to the first of its
 * pages that a person may see, and is there while they see one. Two groups of people may find a page in two sections, one person
 * never does.
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
          { to: "/cockpit", label: "nav.cockpit", for: "admins" },
          { to: "/dashboard", label: "nav.usage", for: "users" },
          { to: "/profit", label: "nav.profit", for: "admins" },
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
          { to: "/channel", label: "nav.channel", for: "admins" },
          { to: "/start", label: "nav.start", for: "admins" },
        ],
      },
      {
        label: "nav.group.costs",
        pages: [{ to: "/reconciliation", label: "nav.reconciliation", for: "admins" }],
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
        ],
      },
    ],
  },
  {
    label: "nav.redemption",
    key: "r",
    groups: [{ pages: [{ to: "/redemption", label: "nav.redemption", for: "admins" }] }],
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
          { to: "/user", label: "nav.user", for: "admins" },
          { to: "/pricing/rules", label: "nav.priceRules", for: "admins" },
        ],
      },
      {
        label: "nav.group.sales",
        pages: [
          { to: "/order", label: "nav.orders", for: "admins" },
          { to: "/plan/manage", label: "nav.planManage", for: "admins" },
          { to: "/plan/subscribers", label: "nav.subscribers", for: "admins" },
          { to: "/invitation/manage", label: "nav.commissions", for: "admins" },
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
          { to: "/setting/announcements", label: "nav.announcementManage", for: "admins" },
        ],
      },
      {
        label: "nav.group.prices",
        pages: [
          { to: "/setting/prices", label: "nav.priceLists", for: "admins" },
          { to: "/pricing/rehearsal", label: "nav.rehearsal", for: "admins" },
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

/** Pages of a section that belong together. */
export interface PageGroup {
  /** Absent where the name of the section says it. */
  readonly label: Extract<AnyGroup, { label: string }>["label"] | undefined;
  readonly pages: readonly Page[];
}

/** An entry of the menu as one person sees it. */
export interface Section {
  /** Its first page. */
  readonly to: Page["to"];
  readonly label: AnySection["label"];
  /** The letter that leads there after `g` (shortcut-keys.ts). */
  readonly key: AnySection["key"];
  readonly groups: readonly PageGroup[];
  readonly pages: readonly Page[];
  /** The site has yet to say whether there are more pages. */
  readonly isUncertain: boolean;
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

const pagesOf = ({ groups }: AnySection): readonly Page[] =>
  groups.flatMap(({ pages }): readonly Page[] => pages);

const ALL_PAGES = [...SECTIONS.flatMap(pagesOf), ...LOGIN_PAGES];

/** Whether a page is there only where the site says so. */
const isOptional = (page: Page): boolean =>
  page.for === "prices" || page.for === "modelStatus" || page.for === "plans";

/** What the page at this address is called; undefined for one without a name. */
export const pageLabel = (pathname: string) => pageAt(ALL_PAGES, pathname)?.label;

/**
 * The menu's sections for this person (specification section 6): guests see home and about alone, and chat is there only when a
 * chat link is set.
 */
export const useNavigation = (): Section[] => {
  const { user, isAdmin, isRoot } = useSession();
  const status = useStatus();
  const { price_page: pricePage, model_status: statusPage } = status ?? {};
  const hasChat = useSyncExternalStore(subscribeStored, chatLink) !== "";
  const hasPlans = useSyncExternalStore(subscribeStored, offersPlans);
  const sees = {
    everyone: true,
    users: user !== undefined,
    customers: user !== undefined && !isAdmin,
    admins: isAdmin,
    root: isRoot,
    chat: user !== undefined && hasChat,
    plans: user !== undefined && hasPlans,
    prices: pricePage === (user ? "signed-in" : "public") || pricePage === "public",
    modelStatus: statusPage === "public" || (statusPage === "signed-in" && user !== undefined),
  };
  return SECTIONS.flatMap((section): Section[] => {
    const groups = section.groups
      .map(
        (group): PageGroup => ({
          label: "label" in group ? group.label : undefined,
          pages: (group.pages as readonly Page[]).filter((page) => sees[page.for]),
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

/** Where one is: the section and its page, of the sections that this person sees. */
export interface Place {
  sections: readonly Section[];
  section: Section | undefined;
  page: Page | undefined;
}

/** Where a page stands whose address says nothing of its section: the first of these that a person may see. */
const placesOf = (pathname: string): readonly string[] =>
  pathname.startsWith("/model/") ? ["/pricing", "/status", "/"] : [pathname];

export const usePlace = (): Place => {
  const sections = useNavigation();
  const { pathname } = useLocation();
  const seen = sections.flatMap(({ pages }) => pages);
  const page = placesOf(pathname)
    .map((place) => pageAt(seen, place))
    .find((each) => each !== undefined);
  const section = sections.find(({ pages }) => page !== undefined && pages.includes(page));
  // Before the site has said that it has such a page, the page is where it will be then.
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
