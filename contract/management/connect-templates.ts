import { isObject } from "../values/is-object";
import { tryParseJson } from "../values/parse-json";

/*
 * Templates of programs that root adds to the built-in guides for connecting one: the option ConnectTemplates. Each is a link or a text
 * with the placeholders {key}, {address} and {model}, which the console fills in; a key is never sent to the server for it.
 */

/** Programs other than a browser that open links of their own. Links of other schemes are refused: some of them run code. */
export const APP_SCHEMES = [
  "aionui",
  "ama",
  "botgem",
  "ccswitch",
  "chatbox",
  "cherrystudio",
  "deepchat",
  "opencat",
] as const;

/** How one program is connected: by opening a link, or with a text to copy. */
export interface ConnectTemplate {
  name: string;
  kind: "link" | "text";
  template: string;
}

export const MAX_CONNECT_TEMPLATES = 30;
const MAX_NAME = 40;
const MAX_TEMPLATE = 2000;

const LINK = new RegExp(`^(?:https?|${APP_SCHEMES.join("|")})://[^\\s\\p{Cc}]+$`, "iu");

/** Whether a link leads to the web or to a known program. */
export const isConnectLink = (link: string): boolean => LINK.test(link);

const isName = (name: string): boolean =>
  name.trim() === name && name !== "" && name.length <= MAX_NAME && !/\p{Cc}/u.test(name);

const readTemplate = (name: string, value: unknown): ConnectTemplate | undefined => {
  if (!isName(name) || !isObject(value) || Object.keys(value).length !== 1) return undefined;
  const { link, text } = value;
  const template = link ?? text;
  if (typeof template !== "string" || template.trim() === "" || template.length > MAX_TEMPLATE)
    return undefined;
  if (link === undefined)
    return /[^\P{Cc}\n\r\t]/u.test(template) ? undefined : { name, kind: "text", template };
  return isConnectLink(template) ? { name, kind: "link", template } : undefined;
};

/**
 * Reads the JSON text of the templates: `{"name": {"link": "…"}}` or `{"name": {"text": "…"}}`, in their order.
 * @returns the name at which it is wrong, "" for the whole.
 */
export const parseConnectTemplates = (text: string): readonly ConnectTemplate[] | { fault: string } => {
  const parsed = tryParseJson(text);
  if (parsed === undefined) return { fault: "" };
  if (!isObject(parsed) || Object.keys(parsed).length > MAX_CONNECT_TEMPLATES) return { fault: "" };
  const templates: ConnectTemplate[] = [];
  for (const [name, value] of Object.entries(parsed)) {
    const template = readTemplate(name, value);
    if (!template) return { fault: name.slice(0, MAX_NAME) };
    templates.push(template);
  }
  return templates;
};
