import * as z from "zod/mini";
import { aliasesText } from "../management/model-aliases";
import { textOrNone } from "../management/wire";
import { endpoint } from "../resource/endpoint";
import { codecOf } from "../resource/fields";
import { count, optional, textValue } from "../resource/resource";
import { user, userBodyFields } from "./user";

/* One's own account (contract section 1.3). */

/**
 * The used fields of the whole User object that clients send; "" leaves a field unchanged. A new password needs the
 * current one, in `original_password` or by having signed in a short while ago. Aliases that are absent stay as they are.
 */
export const editSelfBodySchema = codecOf(userBodyFields, {
  originalPassword: textOrNone,
  username: textOrNone,
  displayName: textOrNone,
  password: textOrNone,
  modelAliases: aliasesText,
});

export const getSelf = endpoint({
  method: "GET",
  path: "/api/user/self",
  guard: "user",
  summary: "One's own account",
  data: user,
  reads: "users",
});

export const changeSelf = endpoint({
  method: "PUT",
  path: "/api/user/self",
  guard: "user",
  isForPeople: true,
  summary: "Changes one's own name, display name, password or aliases of models",
  body: editSelfBodySchema,
  changes: ["users"],
});

/** Some servers leave the session of a deleted account alive: clients sign out afterwards. */
export const deleteSelf = endpoint({
  method: "DELETE",
  path: "/api/user/self",
  guard: "user",
  isForPeople: true,
  summary: "Deletes one's own account",
});

export const replaceAccessToken = endpoint({
  method: "GET",
  path: "/api/user/token",
  guard: "user",
  needsPresence: true,
  isForPeople: true,
  summary: "Replaces one's system access token",
  data: optional(textValue),
  changesState: true,
});

/** It is made on first use. */
export const getInviteCode = endpoint({
  method: "GET",
  path: "/api/user/aff",
  guard: "user",
  summary: "One's invite code",
  data: optional(textValue),
});

export const topUpBodySchema = z.object({ key: z.string() });

export const redeemCode = endpoint({
  method: "POST",
  path: "/api/user/topup",
  guard: "user",
  summary: "Redeems a code; returns the added quota",
  body: topUpBodySchema,
  data: optional(count),
});
