import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { checkMasterKey } from "@tollgate/storage/backup/check-master-key";
import { copyData } from "@tollgate/storage/backup/copy-data";
import { copyDatabase } from "@tollgate/storage/backup/copy-database";
import { examine } from "@tollgate/storage/doctor/examine";
import { type DataFault, DataRefused } from "@tollgate/storage/errors";
import { settleFolder } from "@tollgate/storage/promote/open-sides";
import { promoteToDatabase } from "@tollgate/storage/promote/promote-to-database";
import { readKeyFile } from "../master-key";
import { makeFolderPrivate } from "../private-folder";
import { KEY_FILE, type Manifest, readArchive, writeArchive } from "./archive";
import { checkRoom } from "./check-room";

export interface BackupResult {
  manifest: Manifest;
  /** Whether the backup contains the master key; it is useless without one. */
  hasKey: boolean;
  /** Faults in the data, which were there before the copy. */
  faults: DataFault[];
}

/** @throws Error in words when a backup cannot be written there: something has its name, or its folder is not there. */
const requireNewFile = (file: string): void => {
  if (existsSync(file)) throw new Error(`${file} exists already and is not overwritten: name another file.`);
  const folder = dirname(resolve(file));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`There is no folder ${folder}: make it, or name a file in another one.`);
};

/**
 * Writes data into one file and verifies the result: it is unpacked and examined before the file gets its name.
 * @param fill puts the data, and the master key if included, into a folder. @returns the data's faults.
 */
const writeBackup = async (
  file: string,
  createdTime: number,
  fill: (stage: string) => Promise<DataFault[]>,
): Promise<BackupResult> => {
  requireNewFile(file);
  const work = mkdtempSync(join(dirname(resolve(file)), ".tollgate-backup-"));
  const [stage, check, archive] = [join(work, "stage"), join(work, "check"), join(work, "backup.tar")];
  try {
    mkdirSync(stage);
    const foundBefore = await fill(stage);
    const hasKey = existsSync(join(stage, KEY_FILE));
    await writeArchive(stage, archive, createdTime);
    rmSync(stage, { recursive: true });
    mkdirSync(check);
    const manifest = await readArchive(archive, check);
    const { faults } = await examine(join(check, "tollgate.db"));
    // Renaming would overwrite a file created meanwhile.
    requireNewFile(file);
    linkSync(archive, file);
    return { manifest, hasKey, faults: [...foundBefore, ...faults] };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

const writeKey = (stage: string, masterKey: Uint8Array): void =>
  writeFileSync(join(stage, KEY_FILE), `${Buffer.from(masterKey).toString("base64")}\n`);

/**
 * Writes a data folder into one file, whether the gateway runs or not.
 * @param createdTime unix seconds.
 * @param withKey whether the folder's key file goes inside.
 * @throws Error when the file exists, the disk lacks room, or the folder cannot be read; DataRefused when the key file
 * holds another key than that of the data.
 */
export const makeBackup = async (
  dataDir: string,
  file: string,
  withKey: boolean,
  createdTime: number,
): Promise<BackupResult> => {
  const mainPath = join(dataDir, "tollgate.db");
  if (!existsSync(mainPath))
    throw new Error(`There is no data in ${dataDir}: name the folder with DATA_DIR.`);
  requireNewFile(file);
  checkRoom(dataDir, file);
  return writeBackup(file, createdTime, async (stage) => {
    const keyPath = join(dataDir, KEY_FILE);
    const readKey = () => (withKey && existsSync(keyPath) ? readKeyFile(keyPath) : undefined);
    const masterKey = readKey();
    const faults = copyData(mainPath, stage);
    if (masterKey === undefined) return faults;
    await checkMasterKey(join(stage, "tollgate.db"), masterKey);
    // The key was replaced while files were copied: some of them need the former one.
    if (!Buffer.from(masterKey).equals(readKey() ?? Buffer.alloc(0)))
      throw new DataRefused({ code: "key-rotation-unfinished" });
    writeKey(stage, masterKey);
    return faults;
  });
};

/** A database, and the key under which its secrets are stored. */
export interface BackedUpDatabase {
  address: string;
  masterKey: Uint8Array;
}

/**
 * Writes a database into one file, in the format of a data folder, while any number of nodes use it.
 * @param createdTime unix seconds.
 * @throws Error when the file exists; DatabaseRefused, DataRefused when the database cannot be read.
 */
export const makeDatabaseBackup = (
  { address, masterKey }: BackedUpDatabase,
  file: string,
  withKey: boolean,
  createdTime: number,
): Promise<BackupResult> =>
  writeBackup(file, createdTime, async (stage) => {
    await copyDatabase(address, masterKey, stage);
    if (withKey) writeKey(stage, masterKey);
    return [];
  });

export interface RestoreResult {
  manifest: Manifest;
  hasKey: boolean;
  faults: DataFault[];
}

/** Entries that file systems keep in the root of a volume. */
const NO_DATA: readonly string[] = ["lost+found"];

/** @returns true for an empty folder, false for none. @throws Error with a readable message for anything else. */
const isEmptyFolder = (path: string): boolean => {
  if (!existsSync(path)) return false;
  if (!statSync(path).isDirectory()) throw new Error(`${path} is no folder: name another one with DATA_DIR.`);
  if (readdirSync(path).some((name) => !NO_DATA.includes(name)))
    throw new Error(
      `${path} is not empty, and nothing in it is overwritten: name another folder with DATA_DIR.`,
    );
  return true;
};

/**
 * Unpacks a backup into a data folder that is empty or does not exist. A new folder appears only when complete; an
 * existing one stays the same folder, because it may be a volume, or lie behind a link.
 * @throws Error when the folder has content, or the file is no complete backup: the folder is then unchanged.
 */
export const restoreBackup = async (file: string, dataDir: string): Promise<RestoreResult> => {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const target = resolve(dataDir);
  const isThere = isEmptyFolder(target);
  if (!isThere) mkdirSync(dirname(target), { recursive: true });
  // A folder on the same file system, so that files are moved without being copied.
  const work = mkdtempSync(join(isThere ? target : dirname(target), ".tollgate-restore-"));
  try {
    const manifest = await readArchive(file, work);
    const { faults } = await examine(join(work, "tollgate.db"));
    // Removes the file list, and files left behind by the examination.
    for (const name of readdirSync(work)) if (!(name in manifest.files)) rmSync(join(work, name));
    if (isThere) {
      makeFolderPrivate(target);
      // The main file last: without it a folder has no data.
      for (const name of readdirSync(work).sort()) renameSync(join(work, name), join(target, name));
    } else renameSync(work, target);
    return { manifest, hasKey: KEY_FILE in manifest.files, faults };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/**
 * Brings a backup to an empty database.
 * @param masterKey the key that its secrets are stored under, whether it is inside or not.
 * @throws Error when the file is no whole backup; DataRefused when the key is another one; DatabaseRefused for a database that holds
 * anything, unless it is a half of before: that is finished.
 */
export const restoreDatabase = async (
  file: string,
  address: string,
  masterKey: Uint8Array,
): Promise<RestoreResult> => {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const folder = mkdtempSync(join(dirname(resolve(file)), ".tollgate-restore-"));
  try {
    const manifest = await readArchive(file, folder);
    const mainPath = join(folder, "tollgate.db");
    const found = await examine(mainPath);
    const settle = () => settleFolder(folder, masterKey);
    // An older version's files are migrated to the newest schema, at which they can be examined.
    (await settle())();
    const isOlder = found.faults.some(({ code }) => code === "schema-other");
    const { faults } = isOlder ? await examine(mainPath) : found;
    const { isMoved } = await promoteToDatabase({
      folder,
      address,
      masterKey,
      onCopied: () => {},
      takeFolder: settle,
    });
    if (!isMoved) throw new Error("What was written is unlike the backup: run the command again.");
    return { manifest, hasKey: KEY_FILE in manifest.files, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
