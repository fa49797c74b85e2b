import { readdirSync, statfsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** At most two copies exist at once: the copied files beside the archive, or the archive beside its unpacked files. */
const COPIES = 2;
/** Left for the gateway on a disk that is its own as well: a charge that cannot be written stops it. */
const LEFT_BYTES = 200_000_000;
const MEGABYTE = 1_000_000;

/** Files copied by a backup of a data folder: the databases, with their write-ahead logs. */
const COPIED = /\.(?:db|sqlite)(?:-wal)?$/;

const freeBytesOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * Checks that the disk has room for a backup while it is written, so that it does not fill the disk of the charges.
 * @param file the backup. @throws Error that names the room needed.
 */
export const checkRoom = (dataDir: string, file: string, freeBytes = freeBytesOf): void => {
  const place = dirname(resolve(file));
  let bytes = 0;
  for (const name of readdirSync(dataDir))
    if (COPIED.test(name)) bytes += statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
  const isShared = statSync(place).dev === statSync(dataDir).dev;
  const needed = COPIES * bytes + (isShared ? LEFT_BYTES : 0);
  const free = freeBytes(place);
  if (free < needed)
    throw new Error(
      `${place} has too little room: ${Math.floor(free / MEGABYTE)} MB are free, and ${Math.ceil(needed / MEGABYTE)} MB are needed while a backup is written.`,
    );
};
