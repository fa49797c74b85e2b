import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { plain } from "../resource/resource";
import { stripEnd } from "../values/strip-end";

/*
 * Calls of `tollgate export` and `tollgate apply` besides the usual calls of /api: secrets for a file, sealed under the
 * installation's master key. For the local operator alone.
 */

/** "" where there is no secret. */
const sealedSecretsSchema = z.object({
  channels: z.array(
    z.object({
      id: z.int(),
      key: z.string(),
      proxy: z.string(),
      /** Values of the headers that its requests are sent with, by their names. */
      headers: z._default(z.record(z.string(), z.string()), {}),
    }),
  ),
  options: z.array(z.object({ key: z.string(), value: z.string() })),
});
export type SealedSecrets = z.infer<typeof sealedSecretsSchema>;

/*
 * Use of a sealed secret. It opens for this use alone: a person who may write the file must not be able to send a key
 * to an address of his own, or to put it where it is shown.
 */

export const useOfOption = (key: string): string => JSON.stringify(["option", key]);

export const USE_AS_PROXY = JSON.stringify(["proxy"]);

/** @param channel where the key is sent: a caller that changes it has to send the key along, as on the page of the channel. */
export const useOfChannelKey = ({
  type,
  baseUrl,
  other,
}: {
  type: number;
  baseUrl: string;
  other: string;
}): string => JSON.stringify(["channel", type, stripEnd(baseUrl.trim(), "/"), other.trim()]);

/** @param channel where the header is sent. */
export const useOfChannelHeader = (
  channel: { type: number; baseUrl: string; other: string },
  name: string,
): string => JSON.stringify(["channel-header", useOfChannelKey(channel), name]);

/** How many texts are opened by one call. */
export const OPENED_AT_ONCE = 1000;

const openSecretsBodySchema = z.object({
  sealed: z.array(z.object({ text: z.string(), use: z.string() })).check(z.maxLength(OPENED_AT_ONCE)),
});

export type SealedText = z.infer<typeof openSecretsBodySchema>["sealed"][number];

/** The texts in their order; null for one that this installation has not sealed for that use. */
const openedSecretsSchema = z.array(z.nullable(z.string()));

export const sealSecrets = endpoint({
  method: "GET",
  path: "/api/configuration/secrets",
  guard: "root",
  summary: "Keys of channels and secret options, sealed for a file; only for the local operator",
  data: plain(sealedSecretsSchema),
});

export const openSealedTexts = endpoint({
  method: "POST",
  path: "/api/configuration/open",
  guard: "root",
  summary:
    "Opens secrets that this installation sealed for a file, each for its use; only for the local operator",
  body: openSecretsBodySchema,
  data: plain(openedSecretsSchema),
});
