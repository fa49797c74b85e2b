import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLogWriter, openWriter } from "@tollgate/storage/open-sqlite";
import { MASTER_KEY } from "@tollgate/storage/testing/sample-records";
import { createRandom } from "@tollgate/testkit/random";
import { caseCount } from "@tollgate/testkit/seeds";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readArchive } from "./archive";
import { makeBackup, restoreBackup } from "./backup";

const BLOCK = 512;

let parent: string;
/** The folder of each test; files beside it must stay unchanged. */
let place: string;
let good: Buffer;
let entries: { name: string; data: Buffer }[];

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, "0")}\0`;

interface Entry {
  name: string;
  data?: Buffer | undefined;
  /** "0" for a file, "1" and "2" for links, "5" for a folder, "x" and "g" for headers of the next entries. */
  type?: string;
  link?: string;
  /** The size as it is written, when it is a lie. */
  size?: string | Buffer;
}

/** One entry as POSIX ustar has it (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html). */
const entryOf = ({ name, data = Buffer.alloc(0), type = "0", link = "", size }: Entry): Buffer => {
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0, 100);
  head.write(octal(0o777, 8), 100);
  head.write(octal(0, 8), 108);
  head.write(octal(0, 8), 116);
  if (Buffer.isBuffer(size)) size.copy(head, 124);
  else head.write(size ?? octal(data.length, 12), 124);
  head.write(octal(0, 12), 136);
  head.write("        ", 148);
  head.write(type, 156);
  head.write(link, 157, 100);
  head.write("ustar\x0000", 257);
  head.write(
    `${octal(
      head.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return Buffer.concat([head, data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)]);
};

const END = Buffer.alloc(2 * BLOCK);
const tar = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, END]);

/** A record of a PAX header: its own length, a space, its text, a line feed. */
const paxOf = (key: string, value: string): Buffer => {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.from(`${length}${rest}`);
};

/** The whole backup as entries, so that some can be put between. */
const whole = (): Buffer[] => entries.map(entryOf);

const manifestOf = (files: Record<string, Buffer>): Buffer =>
  Buffer.from(
    JSON.stringify({
      format: 1,
      version: "9.9.9",
      createdTime: 1,
      files: Object.fromEntries(
        Object.entries(files).map(([name, data]) => [
          name,
          { bytes: data.length, sha256: createHash("sha256").update(data).digest("hex") },
        ]),
      ),
    }),
  );

/** Everything below a folder, including the targets of links. */
const list = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), "tollgate-hostile-"));
  const data = join(parent, "data");
  mkdirSync(data);
  writeFileSync(join(data, "master.key"), `${Buffer.from(MASTER_KEY).toString("base64")}\n`);
  (await openWriter(join(data, "tollgate.db"), MASTER_KEY)).close();
  (await openLogWriter(join(data, "tollgate.db"))).close();
  const file = join(parent, "good.tar");
  await makeBackup(data, file, true, 1_767_225_600);
  good = readFileSync(file);
  entries = ["tollgate.db", "logs.sqlite", "master.key", "backup.json"].map((name) => ({
    name,
    data: contentOf(name),
  }));
});

/** The good backup's content of a name. */
const contentOf = (name: string): Buffer => {
  for (let at = 0; at < good.length; ) {
    const head = good.subarray(at, at + BLOCK);
    const size = Number.parseInt(head.toString("latin1", 124, 135), 8) || 0;
    if (head.toString("utf8", 0, 100).replace(/\0+$/, "") === name)
      return Buffer.from(good.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`the backup has no ${name}`);
};

afterAll(() => rmSync(parent, { recursive: true }));

beforeEach(() => {
  place = mkdtempSync(join(parent, "case-"));
});

/** Unpacks an archive. @returns the reason of a refusal, undefined when it was accepted. */
const unpack = async (archive: Buffer): Promise<string | undefined> => {
  const file = join(place, "given.tar");
  const folder = join(place, "unpacked");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(file, archive);
  const beside = (): string[] => [
    ...readdirSync(parent),
    ...list(place).filter((path) => !path.startsWith(folder)),
  ];
  const before = beside();
  try {
    await readArchive(file, folder);
    expectWhole(folder, ["backup.json", "logs.sqlite", "master.key", "tollgate.db"]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    expect(beside()).toEqual(before);
    for (const path of list(folder)) expect(lstatSync(path).isFile(), path).toBe(true);
  }
};

const REFUSED = /is not a whole backup|is no backup of Tollgate|is damaged/;

/** Either all is as in the good backup, or it is refused in words. */
const expectHarmless = (said: string | undefined): void => {
  if (said !== undefined) expect(said).toMatch(REFUSED);
};

/** Exactly the content of the good backup, as plain files of their owner. */
const expectWhole = (folder: string, names: string[]): void => {
  expect(readdirSync(folder).sort()).toEqual(names);
  for (const name of names) {
    const found = lstatSync(join(folder, name));
    expect([found.isFile(), found.nlink, found.mode & 0o777], name).toEqual([true, 1, 0o600]);
    expect(readFileSync(join(folder, name)).equals(contentOf(name)), name).toBe(true);
  }
};

const EVIL = Buffer.from("evil");

describe("a hostile archive", () => {
  it("is made as real ones are: without hostility it is taken", async () => {
    expect(await unpack(tar(...whole()))).toBeUndefined();
  });

  it.each<[string, () => Entry[]]>([
    ["a name that leads out", () => [{ name: "../evil", data: EVIL }]],
    ["a name that leads out at its end", () => [{ name: "x/../../evil", data: EVIL }]],
    ["an absolute name", () => [{ name: join(place, "evil"), data: EVIL }]],
    ["a name with backslashes", () => [{ name: "..\\evil", data: EVIL }]],
    ["a link in place of a file", () => [{ name: "tollgate.db", type: "2", link: "/etc/hostname" }]],
    ["a hard link in place of a file", () => [{ name: "master.key", type: "1", link: "../good.tar" }]],
    [
      "a link as a folder, and a file in it",
      () => [
        { name: "out", type: "2", link: ".." },
        { name: "out/evil", data: EVIL },
      ],
    ],
    ["a folder in place of a file", () => [{ name: "tollgate.db", type: "5" }]],
    ["a device", () => [{ name: "tollgate.db", type: "3" }]],
    ["a pipe", () => [{ name: "logs.sqlite", type: "6" }]],
    [
      "a longer name in a header",
      () => [
        { name: "h", type: "x", data: paxOf("path", "../evil") },
        { name: "tollgate.db", data: EVIL },
      ],
    ],
    [
      "a longer name in GNU's way",
      () => [
        { name: "././@LongLink", type: "L", data: Buffer.from("../evil\0") },
        { name: "tollgate.db", data: EVIL },
      ],
    ],
    [
      "a link's target in a header",
      () => [
        { name: "h", type: "x", data: paxOf("linkpath", "/etc/hostname") },
        { name: "tollgate.db", type: "2", link: "x" },
      ],
    ],
    ["a header for all that follow", () => [{ name: "g", type: "g", data: paxOf("path", "../evil") }]],
    ["a file of its own", () => [{ name: "tollgate.db-wal", data: EVIL }]],
    ["a journal", () => [{ name: "charges-a.journal", data: EVIL }]],
    [
      "ten thousand other files",
      () => Array.from({ length: 10_000 }, (_, index) => ({ name: `other-${index}`, data: EVIL })),
    ],
  ])("with %s brings nothing of it in, before or behind the rest", async (_, make) => {
    const hostile = make().map(entryOf);
    for (const archive of [tar(...hostile, ...whole()), tar(...whole(), ...hostile)]) {
      expectHarmless(await unpack(archive));
    }
  });

  it.each(["tollgate.db", "logs.sqlite", "master.key", "backup.json"])(
    "with two entries called %s is refused, or holds the good one",
    async (name) => {
      const other = entryOf({ name, data: EVIL });
      expectHarmless(await unpack(tar(...whole(), other)));
      expectHarmless(await unpack(tar(other, ...whole())));
    },
  );

  it("with other contents than its list says is refused", async () => {
    for (const name of ["tollgate.db", "logs.sqlite", "master.key"]) {
      const changed = entries.map((entry) =>
        entry.name === name ? { name, data: Buffer.from(entry.data).fill(1, 0, 1) } : entry,
      );
      expect(await unpack(tar(...changed.map(entryOf)))).toMatch(REFUSED);
      expect(await unpack(tar(...entries.filter((entry) => entry.name !== name).map(entryOf)))).toMatch(
        REFUSED,
      );
    }
  });

  it.each<[string, string | Buffer]>([
    ["8 GB", octal(8_589_934_591, 12)],
    ["2^63 bytes", Buffer.from([0x80, 0, 0, 0, 0x7f, 255, 255, 255, 255, 255, 255, 255])],
    ["less than nothing", Buffer.alloc(12, 0xff)],
    ["no number", "zzzzzzzzzzz\0"],
  ])("that declares %s is refused", async (_, size) => {
    const [first, ...others] = entries;
    const lying = entryOf({ name: first?.name ?? "", data: first?.data, size });
    expect(await unpack(tar(lying, ...others.map(entryOf)))).toMatch(REFUSED);
  });

  it.each(["constructor", "../evil", "x"])("whose list names %s is refused", async (name) => {
    const files = Object.fromEntries(entries.map((entry) => [entry.name, entry.data]));
    const { "backup.json": _, ...others } = files;
    const text = manifestOf(others)
      .toString()
      .replace('"files":{', `"files":{"${name}":{"bytes":4,"sha256":"x"},`);
    const archive = [
      ...entries.filter((entry) => entry.name !== "backup.json"),
      { name: "backup.json", data: Buffer.from(text) },
    ];
    expect(await unpack(tar(...archive.map(entryOf)))).toMatch(REFUSED);
  });

  it("of files that are no databases says so, in words", async () => {
    const files = { "tollgate.db": EVIL, "logs.sqlite": Buffer.alloc(100_000, 1), "master.key": EVIL };
    const parts = Object.entries(files).map(([name, data]) => entryOf({ name, data }));
    const file = join(place, "given.tar");
    writeFileSync(file, tar(...parts, entryOf({ name: "backup.json", data: manifestOf(files) })));
    const { faults } = await restoreBackup(file, join(place, "restored"));
    expect(faults).toContainEqual(expect.objectContaining({ code: "file-damaged-throughout" }));
  });

  it("that is cut or changed anywhere is refused, or holds the same (seed 7)", async () => {
    const random = createRandom(7);
    for (let round = 0; round < caseCount(60); round += 1) {
      const bytes = Buffer.from(good);
      const at = Math.floor(random() * bytes.length);
      const isCut = random() < 0.4;
      if (!isCut) {
        // Heads are where the harm is.
        const place = random() < 0.7 ? Math.floor(at / BLOCK) * BLOCK + Math.floor(random() * 200) : at;
        bytes.fill(Math.floor(random() * 256), place, place + 1 + Math.floor(random() * 4));
      }
      expectHarmless(await unpack(isCut ? bytes.subarray(0, at) : bytes));
    }
  });
});

const RESTORED = ["logs.sqlite", "master.key", "tollgate.db"];

describe("where a backup is restored to", () => {
  it("may be a folder that cannot be replaced, such as a volume's", async () => {
    const file = join(place, "given.tar");
    writeFileSync(file, good);
    const folder = join(place, "restored");
    mkdirSync(join(folder, "lost+found"), { recursive: true, mode: 0o755 });
    const { ino } = lstatSync(folder);
    await restoreBackup(file, folder);
    expect(readdirSync(folder).sort()).toEqual(["logs.sqlite", "lost+found", "master.key", "tollgate.db"]);
    expect(lstatSync(folder).ino).toBe(ino);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });

  it("may be the target of a link, and stays empty when the archive is refused", async () => {
    const file = join(place, "given.tar");
    const folder = join(place, "volume");
    mkdirSync(folder);
    symlinkSync(folder, join(place, "restored"));
    writeFileSync(file, good.subarray(0, 2000));
    await expect(restoreBackup(file, join(place, "restored"))).rejects.toThrow(REFUSED);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(file, good);
    await restoreBackup(file, join(place, "restored"));
    expect(lstatSync(join(place, "restored")).isSymbolicLink()).toBe(true);
    expectWhole(folder, RESTORED);
  });

  it("is reported in words when it is a file, or when the given archive is a folder", async () => {
    const file = join(place, "given.tar");
    writeFileSync(file, good);
    await expect(restoreBackup(file, file)).rejects.toThrow(/given\.tar is no folder/);
    await expect(restoreBackup(place, join(place, "restored"))).rejects.toThrow(/is not a whole backup/);
    expect(existsSync(join(place, "restored"))).toBe(false);
  });
});
