import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askDatabase, newDatabase } from "../../testing/new-database";
import type { BodySteps } from "../ports";
import { openBodies } from "../postgres/open-bodies";
import { bodyRepository } from "../sqlite/bodies.repository";
import { openBodyFile } from "../sqlite/body-file";
import { createBodySealer } from "../stored-body";

/** Stored bodies on some engine, which can be opened again with any master key. */
export interface BodiesUnderTest {
  open(masterKey: Uint8Array): Promise<{ bodies: BodySteps; close(): Promise<void> }>;
  /** All that is stored, as it stands there. */
  stored(): Promise<Buffer>;
  remove(): void;
}

export const newSqliteBodies = async (): Promise<BodiesUnderTest> => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bodies-"));
  return {
    async open(masterKey) {
      const connection = await openBodyFile(join(folder, "bodies.sqlite"));
      const file = bodyRepository(connection, createBodySealer(masterKey));
      return {
        bodies: {
          add: async (body, maxTotalBytes) => file.add(body, maxTotalBytes),
          find: async (requestId, userId) => file.find(requestId, userId),
          has: async (requestId) => file.has(requestId),
          clearBefore: async (timestamp) => file.clearBefore(timestamp),
          clearUser: async (userId) => file.clearUser(userId),
        },
        close: async () => connection.close(),
      };
    },
    stored: async () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
    remove: () => rmSync(folder, { recursive: true }),
  };
};

export const newPostgresBodies = async (): Promise<BodiesUnderTest> => {
  const address = await newDatabase();
  return {
    open: (masterKey) => openBodies(address, masterKey),
    async stored() {
      const rows = await askDatabase(
        address,
        "SELECT b::text AS row, encode(sealed, 'escape') AS text FROM bodies b",
      );
      return Buffer.from(rows.map(({ row, text }) => `${row}${text}`).join("\n"));
    },
    remove: () => undefined,
  };
};
