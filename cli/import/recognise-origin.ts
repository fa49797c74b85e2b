import type { SourceTableShape } from "@tollgate/storage/sources/source-database";
import { ImportRefused } from "./import-refused";
import type { Origin } from "./origin";

/** Tables and columns of each, in every version. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  users: ["id", "username", "password", "role", "status", "quota", "used_quota", "group"],
  tokens: ["id", "user_id", "key", "status", "remain_quota", "unlimited_quota"],
  channels: ["id", "type", "key", "status", "models", "group"],
  options: ["key", "value"],
};

/** Tables and columns of channels that one-hub and its descendants have, and none of the others. */
const OF_ONE_HUB = {
  tables: ["prices", "user_groups", "model_ownedby", "chat_caches"],
  columns: ["only_chat", "pre_cost", "plugin", "disabled_stream"],
};

/** Columns of channels that new-api had before `channel_info`. */
const OF_OLD_NEW_API = ["auto_ban", "openai_organization", "status_code_mapping", "tag"];

/**
 * Determines which program made a database: type numbers of channels mean different companies in each.
 * @param version from the source's table `setups`.
 * @throws ImportRefused for an unknown program.
 */
export const recogniseOrigin = (shapes: readonly SourceTableShape[], version: string | undefined): Origin => {
  const columnsOf = new Map(shapes.map(({ name, columns }) => [name, columns]));
  const missing = Object.entries(NEEDED).flatMap(([table, columns]) => {
    const found = columnsOf.get(table);
    if (!found) return [table];
    return columns.filter((column) => !found.includes(column)).map((column) => `${table}.${column}`);
  });
  if (missing.length > 0) {
    const seen = shapes.map(({ name }) => name).slice(0, 20);
    throw new ImportRefused("origin-unknown", { missing: missing.join(", "), seen: seen.join(", ") });
  }
  const channels = columnsOf.get("channels") ?? [];
  const ofOneHub = [
    ...OF_ONE_HUB.tables.filter((table) => columnsOf.has(table)),
    ...OF_ONE_HUB.columns.filter((column) => channels.includes(column)).map((column) => `channels.${column}`),
  ];
  if (ofOneHub.length > 0) throw new ImportRefused("origin-one-hub", { seen: ofOneHub.join(", ") });
  if (channels.includes("channel_info")) return { series: "new-api", version };
  const ofOldNewApi = OF_OLD_NEW_API.filter((column) => channels.includes(column));
  if (ofOldNewApi.length > 0)
    throw new ImportRefused("origin-old-new-api", {
      seen: ofOldNewApi.map((column) => `channels.${column}`).join(", "),
    });
  return { series: channels.includes("config") ? "one-api-0.6" : "one-api-0.5", version };
};
