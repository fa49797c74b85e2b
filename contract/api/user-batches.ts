import * as z from "zod/mini";
import { batchDone, batchIds, MAX_BATCH_REASON, operationId } from "../management/batch";
import { limitBody } from "../management/limits";
import { aliasesText } from "../management/model-aliases";
import { maybe, wholeNumber } from "../management/wire";
import { endpoint } from "../resource/endpoint";
import { codecOf } from "../resource/fields";
import { userBodyFields } from "./user";

/* Changes of many users at once. Beyond the contract. */

export const USERS_ACTIONS = [
  "edit",
  "enable",
  "disable",
  "add-quota",
  "take-quota",
  "set-quota",
  "delete",
] as const;
export type UsersAction = (typeof USERS_ACTIONS)[number];

/** The fields that `edit` writes, as a change of one user does; the others stay as they are in each user. */
const usersChangeSchema = codecOf(userBodyFields, {
  group: maybe(z.string()),
  modelAliases: aliasesText,
  ...limitBody,
});
export type UsersChange = z.output<typeof usersChangeSchema>;

const usersBodySchema = z.object({
  ids: batchIds,
  action: z.enum(USERS_ACTIONS),
  change: maybe(usersChangeSchema),
  /** Of the actions on quota: what each user gets, loses at most, or has afterwards. */
  quota: maybe(wholeNumber),
  /** Of the actions on quota: why, for the ledger and the audit. */
  reason: maybe(z.string().check(z.trim(), z.maxLength(MAX_BATCH_REASON))),
  operation: operationId,
});
export type UsersBody = z.output<typeof usersBodySchema>;

export const changeUsers = endpoint({
  method: "POST",
  path: "/api/user/batch",
  guard: "admin",
  area: "users",
  summary:
    "Edits, enables, disables, deletes many users, or adds, takes or sets their quota with a reason; names those that it refused. A repeated call with the same `operation` moves no quota again",
  body: usersBodySchema,
  data: batchDone,
  changes: ["users", "ledger", "audit"],
});
