import * as z from "zod/mini";

/*
 * What the commands `tollgate export` and `tollgate apply` ask besides the usual calls of /api: secrets for a file, sealed under the
 * installation's master key. Answered to the local operator alone.
 */

/** GET /api/configuration/secrets: "" where there is none. */
export const sealedSecretsSchema = z.object({
  channels: z.array(z.object({ id: z.int(), key: z.string(), proxy: z.string() })),
  options: z.array(z.object({ key: z.string(), value: z.string() })),
});
export type SealedSecrets = z.infer<typeof sealedSecretsSchema>;

/** How many texts are opened by one call. */
export const OPENED_AT_ONCE = 1000;

/** POST /api/configuration/open */
export const openSecretsBodySchema = z.object({
  sealed: z.array(z.string()).check(z.maxLength(OPENED_AT_ONCE)),
});

/** The texts in their order; null for one that this installation has not sealed. */
export const openedSecretsSchema = z.array(z.nullable(z.string()));
