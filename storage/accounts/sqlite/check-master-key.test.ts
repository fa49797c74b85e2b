import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openWriter } from "../../open-sqlite";
import { createSecrets } from "../../secrets";
import { openConnection } from "../../sqlite/connection";
import { MASTER_KEY } from "../../testing/sample-records";

const OTHER = new Uint8Array(32).fill(8);

it("a wrong master key is told in a sentence, and one altered secret is none (S17)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-key-"));
  const path = join(folder, "tollgate.db");
  try {
    // Nothing is sealed yet: any key will do.
    (await openWriter(path, OTHER)).close();
    const writer = await openWriter(path, MASTER_KEY);
    await writer.repositories.redemptions.create(
      [1, 2].map((count) => ({
        userId: 1,
        key: `code ${count}`,
        name: "gift",
        quota: 5,
        createdTime: 1,
      })),
    );
    writer.close();
    await expect(openWriter(path, OTHER)).rejects.toMatchObject({
      fault: { code: "other-master-key" },
    });
    (await openWriter(path, MASTER_KEY)).close();
    const connection = openConnection(path, false);
    connection.exec("UPDATE redemptions SET key_sealed = 'x' WHERE id = 1");
    connection.close();
    (await openWriter(path, MASTER_KEY)).close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("a secret of another master key is told in words (S17)", () => {
  const sealed = createSecrets(MASTER_KEY).seal("secret");
  expect(() => createSecrets(OTHER).open(sealed)).toThrow("secret-sealed-otherwise");
});
