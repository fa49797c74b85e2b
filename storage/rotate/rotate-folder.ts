import { existsSync } from "node:fs";
import type { Tables } from "../accounts/sql/tables";
import { ACCOUNTS_MIGRATIONS } from "../accounts/sqlite/migrations";
import { bodyFilePath, openBodyFile } from "../bodies/sqlite/body-file";
import { DataRefused } from "../errors";
import { checkFolderMarks } from "../promote/folder-marks";
import { mainPathOf } from "../promote/open-sides";
import { openConnection } from "../sqlite/connection";
import { lockFolder } from "../sqlite/folder-lock";
import { migrate } from "../sqlite/migrate";
import { queryBuilder } from "../sqlite/query-builder";
import type { Resealed } from "./reseal";
import { beginRotation, finishRotation, type RotatedStores, type RotationTools } from "./rotation";

/**
 * Seals everything in a data folder again, while no gateway works with it.
 * @param patienceMs how long to wait for one that is about to end. @returns undefined where it was done before. @throws DataRefused that says why not.
 */
export const rotateFolder = async (
  folder: string,
  tools: RotationTools,
  patienceMs?: number,
): Promise<Resealed | undefined> => {
  const path = mainPathOf(folder);
  if (!existsSync(path)) throw new DataRefused({ code: "file-missing", path });
  checkFolderMarks(path);
  const unlock = lockFolder(path, patienceMs);
  const opened: { close(): void }[] = [];
  const keep = <T extends { close(): void }>(connection: T): T => {
    opened.push(connection);
    return connection;
  };
  try {
    const main = keep(openConnection(path, false));
    await migrate(main, ACCOUNTS_MIGRATIONS);
    const bodies = existsSync(bodyFilePath(path)) ? keep(await openBodyFile(bodyFilePath(path))) : undefined;
    const stores: RotatedStores = {
      accounts: queryBuilder<Tables>(main),
      bodies: bodies && queryBuilder<unknown>(bodies),
      probes: [],
    };
    const keys = tools.openKeys();
    return (await beginRotation(stores, keys, tools)) ? await finishRotation(stores, keys, tools) : undefined;
  } finally {
    for (const connection of opened.reverse()) connection.close();
    unlock();
  }
};
