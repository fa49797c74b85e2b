import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Minimum number of random bytes in a master key. */
export const KEY_BYTES = 32;

const decodeKey = (text: string, complaint: string): Uint8Array => {
  const key = Buffer.from(text, "base64");
  if (key.byteLength < KEY_BYTES) throw new Error(complaint);
  return new Uint8Array(key);
};

/** The key in a file. @throws Error with a readable message where it is unreadable or invalid. */
export const readKeyFile = (path: string): Uint8Array => {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  return decodeKey(text, `${path} does not hold a master key (base64 of at least ${KEY_BYTES} bytes)`);
};

/** Reads MASTER_KEY. @throws Error when it is too short. */
export const readMasterKey = (configured: string): Uint8Array =>
  decodeKey(configured, `MASTER_KEY must be base64 of at least ${KEY_BYTES} bytes`);

/** Reads NEW_MASTER_KEY, the replacement. @throws Error when it is too short. */
export const readNewMasterKey = (configured: string): Uint8Array =>
  decodeKey(configured, `NEW_MASTER_KEY must be base64 of at least ${KEY_BYTES} bytes`);

/**
 * The key under which secrets are stored: from the environment, or from a file in the data folder that is made at the
 * first start and that only its owner may read.
 * @throws Error when it is too short, cannot be read, or is lost.
 */
export const loadMasterKey = (dataDir: string, configured: string | undefined): Uint8Array => {
  const path = join(dataDir, "master.key");
  if (configured === undefined && !existsSync(path)) {
    // A new key would decrypt none of the stored data.
    if (existsSync(join(dataDir, "tollgate.db")))
      throw new Error(
        `There is no master key for ${dataDir}: set MASTER_KEY to the key that it was written with, or put its master.key back into the folder.`,
      );
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString("base64")}\n`, { mode: 0o600, flag: "wx" });
  }
  return configured === undefined ? readKeyFile(path) : readMasterKey(configured);
};
