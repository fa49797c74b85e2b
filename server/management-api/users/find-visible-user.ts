import type { ApiKey } from "@tollgate/accounts/api-keys";
import type { User } from "@tollgate/accounts/users";
import { ROLE_ROOT, type Role } from "@tollgate/contract/values/roles";
import { existing, Failure } from "../failure";
import type { Services } from "../services";

/** Refuses users of the caller's own or a higher rank, which only root may see. */
export const checkMaySee = (caller: { role: Role }, user: { role: Role }): void => {
  if (caller.role < ROLE_ROOT && user.role >= caller.role) throw new Failure("user-rank-view");
};

/** Returns a user that this administrator may see. */
export const findVisibleUser = ({ accounts }: Services, caller: { role: Role }, id: number): User => {
  const user = existing(accounts.users.find(id));
  checkMaySee(caller, user);
  return user;
};

/** Returns the key with this id of any user that this administrator may see. */
export const findVisibleKey = ({ accounts }: Services, caller: { role: Role }, id: number): ApiKey => {
  const key = existing(accounts.keys.findById(id));
  checkMaySee(caller, key.user);
  return key;
};
