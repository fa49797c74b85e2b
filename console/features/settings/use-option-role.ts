import type { Role } from "@tollgate/contract/values/roles";
import { useSession } from "../../lib/session";

/** The role by which this user changes options; 0 for administrators whose set of permissions only reads them. */
export const useOptionRole = (): Role => {
  const { user, may } = useSession();
  return may("options", "change") ? (user?.role ?? 0) : 0;
};
