import { endpoint } from "../resource/endpoint";
import { flag, int, text } from "../resource/fields";
import { listOf, resource, type ValueOf } from "../resource/resource";

/* Sign-ins that last: the devices on which a person is signed in. Beyond the contract. */

const signIn = resource({
  /** The hash of its cookie, with which no one signs in. */
  id: text("id"),
  /** Program and system, such as "Chrome 141 · macOS"; "" where the sign-in did not name them. */
  device: text("device"),
  address: text("address"),
  createdTime: int("created_time"),
  /** Exact to a minute or two. */
  lastUsedTime: int("last_used_time"),
  expiresTime: int("expires_time"),
  /** Whether the call was made with it. */
  isCurrent: flag("is_current"),
});
export type SignIn = ValueOf<typeof signIn>;

export const listSessions = endpoint({
  method: "GET",
  path: "/api/user/sessions",
  guard: "user",
  isForPeople: true,
  summary: "One's own sign-ins that last, the latest used first",
  data: listOf(signIn),
  reads: "sessions",
});

export const endSession = endpoint({
  method: "DELETE",
  path: "/api/user/sessions/:session",
  guard: "user",
  isForPeople: true,
  summary: "Signs one of one's own devices out",
  changes: ["sessions"],
});

export const endOtherSessions = endpoint({
  method: "DELETE",
  path: "/api/user/sessions",
  guard: "user",
  isForPeople: true,
  summary: "Signs out all of one's own devices except the calling one",
  changes: ["sessions"],
});

/** For an account in the wrong hands, or a person who has left. */
export const endUserSessions = endpoint({
  method: "DELETE",
  path: "/api/user/:id/sessions",
  guard: "admin",
  area: "users",
  summary: "Signs a user out everywhere, and replaces their system access token",
});
