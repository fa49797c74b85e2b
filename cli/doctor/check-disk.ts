import { statfs } from "node:fs/promises";
import type { Remark } from "./remark";

/** A charge that cannot be written stops the gateway: below this, soon. */
const FAULT_BYTES = 200_000_000;
/** A backup is written beside its original. */
const REMARK_BYTES = 2_000_000_000;

export interface DiskSpace {
  freeBytes: number;
  /** Files that can still be made; undefined where the file system has no bound of its own. */
  freeFiles: number | undefined;
}

/** @param folder that exists. */
export const readDiskSpace = async (folder: string): Promise<DiskSpace> => {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  return { freeBytes: bavail * bsize, freeFiles: files > 0 ? ffree : undefined };
};

export const checkDisk = (folder: string, { freeBytes, freeFiles }: DiskSpace): Remark[] => {
  const megabytes = Math.floor(freeBytes / 1_000_000);
  if (freeBytes < FAULT_BYTES)
    return [
      {
        isFault: true,
        text: `the disk of ${folder} is nearly full: ${megabytes} MB are left. Where a charge cannot be written, requests are refused.`,
      },
    ];
  if (freeFiles !== undefined && freeFiles < 1000)
    return [{ isFault: true, text: `the file system of ${folder} takes only ${freeFiles} files more.` }];
  if (freeBytes < REMARK_BYTES)
    return [{ isFault: false, text: `${megabytes} MB are left on the disk of ${folder}.` }];
  return [];
};
