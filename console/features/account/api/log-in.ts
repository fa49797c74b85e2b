import { user as format, type LoginBody, type User } from "@tollgate/contract/api/user";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** Reads the user out of a login's answer, however the login was done. */
export const readLoggedInUser = (data: unknown): User => {
  const user = format.read(data);
  if (!user?.username) throw new UnreadableError("no user in the answer");
  return user;
};

/** POST /api/user/login */
export const useLogIn = () =>
  useMutation({
    mutationFn: async (body: LoginBody): Promise<User> =>
      readLoggedInUser((await callApi("POST", "/api/user/login", { body })).data),
  });
