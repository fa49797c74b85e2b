import * as z from "zod/mini";
import { batchDone, batchIds, operationId } from "../management/batch";
import { maybe, wholeNumber } from "../management/wire";
import { endpoint } from "../resource/endpoint";
import { codecOf, int } from "../resource/fields";
import { listOf } from "../resource/resource";
import { API_KEY_WIRE_FIELDS, editedKeyShape, newKeyShape, token } from "./api-keys";

/* Many keys at once: changes of one's keys, and creating keys whose secrets are saved as a file. Beyond the contract. */

export const KEYS_ACTIONS = ["edit", "enable", "disable", "add-quota", "delete"] as const;
export type KeysAction = (typeof KEYS_ACTIONS)[number];

/** The fields that `edit` writes, as a change of one key does; the others stay as they are in each key. */
const keysChangeSchema = codecOf(API_KEY_WIRE_FIELDS, editedKeyShape);
export type KeysChange = z.output<typeof keysChangeSchema>;

const keysBodySchema = z.object({
  ids: batchIds,
  action: z.enum(KEYS_ACTIONS),
  change: maybe(keysChangeSchema),
  /** Of `add-quota`: what each key gets in addition. */
  quota: maybe(wholeNumber),
  operation: operationId,
});
export type KeysBody = z.output<typeof keysBodySchema>;

export const changeApiKeys = endpoint({
  method: "POST",
  path: "/api/token/batch",
  guard: "user",
  summary:
    "Edits, enables, disables, deletes many of one's keys, or adds quota to them; names those that it refused. A repeated call with the same `operation` adds nothing again",
  body: keysBodySchema,
  data: batchDone,
  changes: ["tokens", "ledger", "audit"],
});

/** The maximum number of keys that one call creates. */
export const MAX_NEW_KEYS = 500;

/** The place of the number in the name of many new keys. */
export const KEY_NUMBER = "{n}";

/** The names of many new keys: the number replaces KEY_NUMBER, or follows the name. All have the same length. */
export const namesOfKeys = (name: string, count: number): string[] => {
  const pattern = name.includes(KEY_NUMBER) ? name : `${name}-${KEY_NUMBER}`;
  const digits = String(count).length;
  return Array.from({ length: count }, (_, index) =>
    pattern.replaceAll(KEY_NUMBER, String(index + 1).padStart(digits, "0")),
  );
};

const newKeysFields = { ...API_KEY_WIRE_FIELDS, count: int("count") };

const newKeysBodySchema = codecOf(newKeysFields, {
  count: z.int().check(z.minimum(1), z.maximum(MAX_NEW_KEYS)),
  ...newKeyShape,
});

export const createApiKeys = endpoint({
  method: "POST",
  path: "/api/token/many",
  guard: "user",
  summary: `Creates up to ${MAX_NEW_KEYS} keys with the same settings, all or none, and answers them with their secrets; \`${KEY_NUMBER}\` in the name is each key's number`,
  body: newKeysBodySchema,
  data: listOf(token),
  changes: ["tokens", "ledger", "audit"],
});
