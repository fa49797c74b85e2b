import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";

/** The address that each list was last seen at, by its path. */
const lastSeen = new Map<string, string>();

/** Keeps the address of the list that is shown: its page, its order, its search. */
export const useRememberList = (): void => {
  const { pathname, href } = useLocation();
  // The outside system is the memory that outlives the page.
  useEffect(() => {
    lastSeen.set(pathname, href);
  }, [pathname, href]);
};

/** Leads to a list: as it was left, or from its start, where a new row is, which may be named. */
export const useBackToList = (path: string): ((to?: "as-left" | "start", newRow?: string) => void) => {
  const navigate = useNavigate();
  return (to = "as-left", newRow = undefined) =>
    void navigate({
      href: (to === "as-left" ? lastSeen.get(path) : undefined) ?? path,
      ...(newRow === undefined ? {} : { state: { newRow } }),
    });
};
