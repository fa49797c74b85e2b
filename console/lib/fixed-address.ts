import { createContext, useContext } from "react";

/**
 * A part of the address that is fixed for the pages below: the request list on a user's page always shows that user.
 * Such pages are parts of another page, whose heading precedes theirs.
 */
export const FixedAddress = createContext<Readonly<Record<string, unknown>> | undefined>(undefined);

/** The fixed values; undefined on a standalone page. */
export const useFixedAddress = (): Readonly<Record<string, unknown>> | undefined => useContext(FixedAddress);
