import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { selfQuery } from "../lib/self";
import { currentUser, rememberUser, useSession } from "../lib/session";
import { hasListExtra } from "../lib/status";

/** Time between two looks at an administrator's rights: the server refuses calls in the meantime. */
const EVERY_MS = 60_000;

/** Shows an administrator what its set of permissions allows by now: root may have changed it since the sign-in. */
export const useFollowPermissions = (): void => {
  const { isAdmin, isRoot } = useSession();
  const { data } = useQuery({
    ...selfQuery,
    enabled: isAdmin && !isRoot && hasListExtra("permission-sets"),
    refetchInterval: EVERY_MS,
    meta: { silent: true },
  });
  useEffect(() => {
    const known = currentUser();
    if (data === undefined || known === undefined || known.id !== data.id) return;
    const { permissionSet, permissions } = data;
    if (known.permissionSet === permissionSet && known.permissions === permissions) return;
    rememberUser({ ...known, permissionSet, permissions });
  }, [data]);
};
