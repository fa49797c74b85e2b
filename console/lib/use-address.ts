import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useFixedAddress } from "./fixed-address";

/**
 * The state of a page in its address, and its setter. The page passes the parser, so that it need not know its position
 * in the route tree.
 */
export const useAddress = <Search extends object>(
  read: (search: Record<string, unknown>) => Search,
): [Search, (change: Partial<Search>) => void] => {
  const search: Record<string, unknown> = { ...useSearch({ strict: false }), ...useFixedAddress() };
  const navigate = useNavigate();
  return [
    read(search),
    (change) => void navigate({ to: ".", search: (now: Record<string, unknown>) => ({ ...now, ...change }) }),
  ];
};

/** The id in an address such as /token/edit/7. */
export const useIdInAddress = (): number => Number(useParams({ strict: false }).id);
