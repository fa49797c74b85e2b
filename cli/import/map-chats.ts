import {
  MAX_CONNECT_TEMPLATES,
  parseConnectTemplates,
} from "@tollgate/contract/management/connect-templates";
import type { ImportedOption } from "@tollgate/contract/records/imported-records";
import { readArray, readRecord } from "@tollgate/protocols/shared/json/json-values";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import type { AddRemark } from "./mapped";
import type { OptionRow } from "./source-rows";

/** new-api's option of chat programs: a list of objects from a name to a link. */
export const CHATS = "Chats";

/** Placeholders of new-api's links that mean the same here. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(["key", "address", "cherryConfig"]);

const isFilled = (link: string): boolean =>
  [...link.matchAll(/\{(\w+)\}/g)].every(([, name = ""]) => PLACEHOLDERS.has(name));

/** The option ConnectTemplates from links that open something known. */
export const mapChats = (rows: readonly OptionRow[], addRemark: AddRemark): ImportedOption[] => {
  const written = readArray(parseJson(rows.find(({ key }) => key === CHATS)?.value ?? "")).flatMap((each) =>
    Object.entries(readRecord(each)),
  );
  const templates = new Map<string, { link: unknown }>();
  const left: string[] = [];
  for (const [name, link] of written) {
    const template = { [name.trim()]: { link } };
    const isTaken =
      typeof link === "string" &&
      isFilled(link) &&
      !("fault" in parseConnectTemplates(JSON.stringify(template))) &&
      !templates.has(name.trim()) &&
      templates.size < MAX_CONNECT_TEMPLATES;
    if (isTaken) templates.set(name.trim(), { link });
    else left.push(name);
  }
  const hasSome = templates.size > 0;
  if (hasSome) addRemark(CHATS, "changed", "chats-imported", { count: templates.size });
  if (left.length > 0)
    addRemark(CHATS, hasSome ? "changed" : "left-out", "chats-unknown", {
      names: left.slice(0, 10).join(", "),
    });
  return hasSome
    ? [{ key: "ConnectTemplates", value: JSON.stringify(Object.fromEntries(templates)), isSecret: false }]
    : [];
};
