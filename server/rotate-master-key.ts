import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DataRefused } from "@tollgate/storage/errors";
import type { KeyPair, Resealed } from "@tollgate/storage/rotate/reseal";
import type { RotationTools } from "@tollgate/storage/rotate/rotation";
import { KEY_BYTES, loadMasterKey, readKeyFile, readMasterKey, readNewMasterKey } from "./master-key";

export interface RotationWish {
  dataDir: string;
  /** MASTER_KEY, where the environment keeps the key. */
  configured: string | undefined;
  /** NEW_MASTER_KEY; needed where the environment keeps the key, else one is made. */
  configuredNew: string | undefined;
  /** Does it where the data is (storage/rotate/). */
  rotate(tools: RotationTools): Promise<Resealed | undefined>;
  /** Called before each step that changes something. @param sealed how many secrets are sealed again so far. */
  onStep(sealed: number): void;
}

export interface RotationResult {
  /** Undefined where everything was sealed under the new key before. */
  resealed: Resealed | undefined;
  /** Whether the new key is in the folder, so that the next start finds it. */
  isInFolder: boolean;
}

const writeKey = (path: string, key: Uint8Array): void => {
  const file = openSync(`${path}.part`, "w", 0o600);
  writeSync(file, `${Buffer.from(key).toString("base64")}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.part`, path);
};

const syncFolder = (path: string): void => {
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
};

const areEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other);

/** @throws Error with a readable message when there is no second key. */
const readConfigured = ({ configured = "", configuredNew }: RotationWish): KeyPair => {
  if (configuredNew === undefined)
    throw new Error(
      `Set NEW_MASTER_KEY to the key that is to replace MASTER_KEY: base64 of ${KEY_BYTES} random bytes, such as "openssl rand -base64 ${KEY_BYTES}" prints. Keep it before you go on: without it nothing can be read any more.`,
    );
  const keys = { old: readMasterKey(configured), next: readNewMasterKey(configuredNew) };
  if (areEqual(keys.old, keys.next)) throw new Error("NEW_MASTER_KEY is the same key as MASTER_KEY.");
  return keys;
};

/**
 * The keys in a folder. Both stay in files, even after an interruption, until everything is sealed under the new one:
 * first it is `master.key.new`; then the old one becomes `master.key.old` and the new one `master.key`; the old one is
 * deleted when the data records that the rotation is complete.
 */
const createKeyFiles = ({ dataDir, configuredNew, onStep }: RotationWish) => {
  const path = join(dataDir, "master.key");
  const newPath = join(dataDir, "master.key.new");
  const oldPath = join(dataDir, "master.key.old");
  const wanted = (): Uint8Array | undefined =>
    configuredNew === undefined ? undefined : readNewMasterKey(configuredNew);
  return {
    openKeys(): KeyPair {
      const current = loadMasterKey(dataDir, undefined);
      const next = wanted();
      // Interrupted after the switch: only the record of the completion is missing.
      if (existsSync(oldPath) && !existsSync(newPath)) return { old: readKeyFile(oldPath), next: current };
      if (!existsSync(newPath)) {
        onStep(0);
        writeKey(newPath, next ?? new Uint8Array(randomBytes(KEY_BYTES)));
        syncFolder(dataDir);
      }
      const keys = { old: current, next: readKeyFile(newPath) };
      if (next && !areEqual(keys.next, next)) throw new DataRefused({ code: "key-rotation-other" });
      if (areEqual(keys.old, keys.next)) throw new Error("NEW_MASTER_KEY is the same key as before.");
      return keys;
    },
    switchKeys(): void {
      if (!existsSync(newPath)) return;
      onStep(0);
      writeKey(oldPath, readKeyFile(path));
      syncFolder(dataDir);
      onStep(0);
      renameSync(newPath, path);
      syncFolder(dataDir);
    },
    forgetOld: (): void => rmSync(oldPath, { force: true }),
  };
};

/**
 * Re-encrypts everything sealed under the master key with another one, while no gateway runs. It can be interrupted at
 * any time and run again: the data stays readable, but a gateway does not start until it is complete.
 * @throws Error, DataRefused or DatabaseRefused with the reason.
 */
export const rotateMasterKey = async (wish: RotationWish): Promise<RotationResult> => {
  const { configured, rotate, onStep } = wish;
  if (configured !== undefined) {
    const openKeys = () => readConfigured(wish);
    return { resealed: await rotate({ openKeys, switchKeys: () => {}, onStep }), isInFolder: false };
  }
  const { openKeys, switchKeys, forgetOld } = createKeyFiles(wish);
  const resealed = await rotate({ openKeys, switchKeys, onStep });
  onStep(resealed?.sealed ?? 0);
  forgetOld();
  return { resealed, isInFolder: true };
};
