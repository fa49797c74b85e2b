import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MIN_BYTES = 32;

/**
 * The key under which secrets are stored: from the environment, or from a file in the data folder that is made at the
 * first start and that only its owner may read.
 * @throws when it is too short.
 */
export const loadMasterKey = (dataDir: string, configured: string | undefined): Uint8Array => {
  const path = join(dataDir, "master.key");
  if (configured === undefined && !existsSync(path)) {
    writeFileSync(path, `${randomBytes(MIN_BYTES).toString("base64")}\n`, { mode: 0o600, flag: "wx" });
  }
  const key = Buffer.from(configured ?? readFileSync(path, "utf8"), "base64");
  if (key.byteLength < MIN_BYTES) {
    throw new Error(
      configured === undefined
        ? `${path} does not hold a master key (base64 of at least ${MIN_BYTES} bytes)`
        : `MASTER_KEY must be base64 of at least ${MIN_BYTES} bytes`,
    );
  }
  return new Uint8Array(key);
};
