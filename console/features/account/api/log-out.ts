import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** GET /api/user/logout. The page forgets the user whatever the server answers. */
export const useLogOut = () =>
  useMutation({ mutationFn: () => callApi("GET", "/api/user/logout"), meta: { silent: true } });
