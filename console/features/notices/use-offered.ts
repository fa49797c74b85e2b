import { useQuery } from "@tanstack/react-query";
import { targetsQuery } from "./notice-queries";
import type { Scope } from "./scope";

/** Whether the server knows notices: another one of this contract answers with 404. */
export const useOffered = (scope: Scope): boolean => useQuery(targetsQuery(scope)).data !== null;
