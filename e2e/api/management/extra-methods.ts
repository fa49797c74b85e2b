import { SIGN_IN_METHODS, type SignInMethod } from "@tollgate/contract/sign-in/methods";
import type { OwnOption } from "@tollgate/contract/sign-in/sign-in-method";

/** Sign-in methods that the contract does not have. */
const EXTRA_METHODS: readonly SignInMethod[] = SIGN_IN_METHODS.filter(({ isExtra }) => isExtra);

/** What they add to a user, and to the status. */
export const EXTRA_USER_FIELDS = EXTRA_METHODS.map(({ userField }) => userField);
export const EXTRA_STATUS_FLAGS = EXTRA_METHODS.map((method) => method.switch.status);
export const EXTRA_STATUS_TEXTS = EXTRA_METHODS.flatMap(({ options }) =>
  Object.values<OwnOption>(options).flatMap(({ status }) => status ?? []),
);

/** Calls that change something although they are GET, and what each says while the method is off. */
export const EXTRA_CALLS = EXTRA_METHODS.flatMap(({ name, title, entry: { kind } }) => {
  const path = `/api/oauth/${name}?code=a`;
  const off = { status: 200, success: false, says: `管理员未开启通过 ${title} 登录以及注册` };
  if (kind === "redirect")
    return [
      { path, guard: "none" as const, status: 403, success: false, says: "state is empty or not same" },
    ];
  return [
    { path, guard: "none" as const, ...off },
    { path: path.replace("?", "/bind?"), guard: "user" as const, ...off },
  ];
});
