import { useQuery } from "@tanstack/react-query";
import { targetsQuery } from "./notice-queries";
import type { Scope } from "./scope";

/** Whether the server has notices: others of this contract answer with 404. */
export const useOffered = (scope: Scope): boolean => useQuery(targetsQuery(scope)).data !== null;
