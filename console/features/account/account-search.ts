import { SIGN_IN_NEEDS, type SignInNeed } from "@tollgate/contract/api/session";

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

type Search = Record<string, unknown>;

const needOf = (value: unknown): { needs?: SignInNeed } => {
  const needs = SIGN_IN_NEEDS.find((each) => each === value);
  return needs ? { needs } : {};
};

/** /login: whether the session has expired, and what a sign-in that came from elsewhere still needs. */
export const readLoginSearch = (search: Search): { expired?: boolean; needs?: SignInNeed } => ({
  ...(String(search.expired) === "true" ? { expired: true } : {}),
  ...needOf(search.needs),
});

/** /register: the inviter's code. */
export const readInviteSearch = (search: Search): { aff?: string } => ({ aff: text(search.aff) });

/** /user/reset: the parameters of the mailed link. */
export const readResetSearch = (search: Search): { email?: string; token?: string } => ({
  email: text(search.email),
  token: text(search.token),
});

/** /oauth/{method}: the parameters of the other site's redirect. */
export const readCallbackSearch = (search: Search): { code?: string; state?: string; iss?: string } => ({
  // DingTalk has another name for it.
  code: text(search.code) ?? text(search.authCode),
  state: text(search.state),
  iss: text(search.iss),
});
