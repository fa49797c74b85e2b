import { bearerKey } from "../../lib/bearer-key";

/** Formats of a copied or opened key: bare, or as a chat client's link (contract section 6.3). */
export type LinkFormat = "plain" | "next" | "ama" | "opencat";

/**
 * A key in the requested format; undefined for "next" if the site's chat link is not an address. A public client as
 * fallback would leak the key to strangers.
 */
export const clientLink = (
  format: LinkFormat,
  key: string,
  server: string,
  chatLink: string,
): string | undefined => {
  const bearer = bearerKey(key);
  const address = encodeURIComponent(server);
  switch (format) {
    case "plain":
      return bearer;
    case "next":
      return /^https?:\/\//.test(chatLink)
        ? `${chatLink.replace(/\/+$/, "")}/#/?settings=${JSON.stringify({ key: bearer, url: server })}`
        : undefined;
    case "ama":
      return `ama://set-api-key?server=${address}&key=${bearer}`;
    case "opencat":
      return `opencat://team/join?domain=${address}&token=${bearer}`;
  }
};
