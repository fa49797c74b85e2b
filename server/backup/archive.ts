import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { packTar, unpackTar } from "modern-tar/fs";
import { z } from "zod/mini";

export const KEY_FILE = "master.key";
const MANIFEST = "backup.json";
/** Files a backup may contain besides its manifest; "tollgate.db" and "logs.sqlite" always. */
const FILES: readonly string[] = ["tollgate.db", "logs.sqlite", "bodies.sqlite", KEY_FILE];

const manifestSchema = z.object({
  format: z.literal(1),
  version: z.string(),
  createdTime: z.int(),
  files: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })),
});

export type Manifest = z.infer<typeof manifestSchema>;

const describeFile = async (path: string): Promise<{ bytes: number; sha256: string }> => {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { bytes: statSync(path).size, sha256: hash.digest("hex") };
};

const describeFiles = async (folder: string): Promise<Manifest["files"]> => {
  const files: Manifest["files"] = {};
  for (const name of readdirSync(folder).sort())
    if (FILES.includes(name)) files[name] = await describeFile(join(folder, name));
  return files;
};

/** Writes a folder into one tar file that only its owner may read. @param createdTime unix seconds. */
export const writeArchive = async (folder: string, file: string, createdTime: number): Promise<void> => {
  const manifest: Manifest = {
    format: 1,
    version: PRODUCT_VERSION,
    createdTime,
    files: await describeFiles(folder),
  };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const names = [...Object.keys(manifest.files), MANIFEST];
  const sources = names.map((name) => ({ type: "file" as const, source: join(folder, name), target: name }));
  await pipeline(packTar(sources), createWriteStream(file, { flags: "wx", mode: 0o600 }));
};

/**
 * Unpacks a backup into an empty folder.
 * @throws Error when the file is no backup, is damaged, or is of a later form.
 */
export const readArchive = async (file: string, folder: string): Promise<Manifest> => {
  const isKnown = (name: string): boolean => name === MANIFEST || FILES.includes(name);
  try {
    const unpack = unpackTar(folder, {
      filter: ({ name, type }) => type === "file" && isKnown(name),
      fmode: 0o600,
    });
    await pipeline(createReadStream(file), unpack);
  } catch (error) {
    throw new Error(`${file} is not a whole backup: ${error instanceof Error ? error.message : error}`);
  }
  let manifest: Manifest;
  try {
    manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")));
  } catch {
    throw new Error(`${file} is no backup of Tollgate, or of a later version`);
  }
  const found = await describeFiles(folder);
  for (const name of new Set([...Object.keys(manifest.files), ...Object.keys(found), ...FILES.slice(0, 2)])) {
    const [wanted, is] = [manifest.files[name], found[name]];
    if (!wanted || wanted.sha256 !== is?.sha256)
      throw new Error(`${file} is damaged: its ${name} is not as written`);
  }
  return manifest;
};
