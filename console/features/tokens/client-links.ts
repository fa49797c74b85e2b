/** How a key may be copied or opened: bare, or as the link of a chat client (contract section 6.3). */
export type LinkFormat = "plain" | "next" | "ama" | "opencat";

/** Opened when the site has set no chat link of its own. */
const DEFAULT_CHAT_LINK = "https://chat.oneapi.pro";

/** What a program presents. */
export const bearerKey = (key: string): string => (key.startsWith("sk-") ? key : `sk-${key}`);

/** A key in the asked-for form. */
export const clientLink = (format: LinkFormat, key: string, server: string, chatLink: string): string => {
  const bearer = bearerKey(key);
  const address = encodeURIComponent(server);
  switch (format) {
    case "plain":
      return bearer;
    case "next":
      return `${chatLink.replace(/\/+$/, "") || DEFAULT_CHAT_LINK}/#/?settings=${JSON.stringify({ key: bearer, url: server })}`;
    case "ama":
      return `ama://set-api-key?server=${address}&key=${bearer}`;
    case "opencat":
      return `opencat://team/join?domain=${address}&token=${bearer}`;
  }
};
