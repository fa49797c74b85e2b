import { useSyncExternalStore } from "react";
import { subscribeStored } from "../lib/local-store";
import { useSession } from "../lib/session";
import { chatLink } from "../lib/status";

const ENTRIES = [
  { to: "/", label: "nav.home", for: "everyone" },
  { to: "/dashboard", label: "nav.dashboard", for: "users" },
  { to: "/channel", label: "nav.channel", for: "admins" },
  { to: "/token", label: "nav.token", for: "users" },
  { to: "/redemption", label: "nav.redemption", for: "admins" },
  { to: "/topup", label: "nav.topup", for: "users" },
  { to: "/user", label: "nav.user", for: "admins" },
  { to: "/log", label: "nav.log", for: "users" },
  { to: "/node", label: "nav.node", for: "root" },
  { to: "/setting", label: "nav.setting", for: "users" },
  { to: "/about", label: "nav.about", for: "everyone" },
  { to: "/chat", label: "nav.chat", for: "chat" },
] as const;

export type NavigationEntry = (typeof ENTRIES)[number];

/** Pages that no entry of the menu leads to. */
const LOGIN_PAGES = [
  { to: "/login", label: "nav.login" },
  { to: "/register", label: "nav.register" },
] as const;

/** What the page at this address is called; undefined for one without a name. */
export const pageLabel = (pathname: string) =>
  [...ENTRIES, ...LOGIN_PAGES].find(({ to }) =>
    to === "/" ? pathname === "/" : pathname === to || pathname.startsWith(`${to}/`),
  )?.label;

/**
 * The menu's entries for this person (specification section 6): guests see home and about alone, admins see
 * all but the nodes, which are root's, and chat stands there only when a chat link is set.
 */
export const useNavigation = (): NavigationEntry[] => {
  const { user, isAdmin, isRoot } = useSession();
  const hasChat = useSyncExternalStore(subscribeStored, chatLink) !== "";
  const sees = {
    everyone: true,
    users: user !== undefined,
    admins: isAdmin,
    root: isRoot,
    chat: user !== undefined && hasChat,
  };
  return ENTRIES.filter((entry) => sees[entry.for]);
};
