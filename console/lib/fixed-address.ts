import { createContext, useContext } from "react";

/**
 * What pages below it take for a part of the address that nothing changes: the list of requests on a user's page is
 * always that user's. Such pages are parts of another one, whose heading goes before theirs.
 */
export const FixedAddress = createContext<Readonly<Record<string, unknown>> | undefined>(undefined);

/** What is fixed here; undefined on a page of its own. */
export const useFixedAddress = (): Readonly<Record<string, unknown>> | undefined => useContext(FixedAddress);
