import { bearerKey } from "../../lib/bearer-key";

/** How a key may be copied or opened: bare, or as the link of a chat client (contract section 6.3). */
export type LinkFormat = "plain" | "next" | "ama" | "opencat";

/**
 * A key in the asked-for form; undefined for "next" where the site has set no address as its chat link. A public client in its place
 * would hand the key to strangers.
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
