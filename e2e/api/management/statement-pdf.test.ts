import { readPdf } from "@tollgate/testkit/read-pdf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveOptions, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

/* The statement of a month as a PDF, made by the built gateway. */

let world: ManagementWorld;
let owner: Person;

/** The reader's zone: the month of the movements is that of their days. */
const OFFSET_MINUTES = 480;
const MONTH = new Date(Date.now() + OFFSET_MINUTES * 60_000).toISOString().slice(0, 7);
const COMPANY = { kind: "company", name: "腾讯科技（深圳）有限公司", tax_number: "91440300708461136T" };

beforeAll(async () => {
  world = await startManagementWorld();
  await saveOptions(world.root, { InvoicesEnabled: "true", SystemName: "演示站" });
  owner = await world.newUser();
  await succeed(owner.api("POST", "/api/invoice/titles", COMPANY));
  const [key] = await succeed<string[]>(
    world.root.api("POST", "/api/redemption/", { name: "gift", quota: 750_000, count: 1 }),
  );
  await succeed(owner.api("POST", "/api/user/topup", { key }));
});

afterAll(() => world?.stop());

const download = async ({ cookie }: Pick<Person, "cookie">, path: string, language = "zh-CN") => {
  const answer = await fetch(world.url + path, { headers: { cookie, "accept-language": language } });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes };
};

const OWN = `/api/statement/self/export?format=pdf&month=${MONTH}`;

describe("a statement as a PDF", () => {
  it("is its owner's, with title and movements, small and soon", async () => {
    const begun = performance.now();
    const { headers, bytes } = await download(owner, `${OWN}&offset_minutes=${OFFSET_MINUTES}`);
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toMatch(
      new RegExp(`^attachment; filename="tollgate-statement-\\d+-${MONTH}-\\d{4}-\\d\\d-\\d\\d\\.pdf"`),
    );
    expect(bytes.length).toBeLessThan(40_000);
    const { texts, pages } = readPdf(bytes);
    expect(pages).toBe(1);
    expect(texts).toEqual(
      expect.arrayContaining([
        ...["演示站", `${MONTH} 账单`, COMPANY.name, `税号 ${COMPANY.tax_number}`],
        ...["兑换码兑换", "+$1.5", "第 1 页，共 1 页"].map((text) => expect.stringContaining(text)),
      ]),
    );
  });

  it("is in the reader's language", async () => {
    for (const [language, heading] of [
      ["zh-TW", `${MONTH} 帳單`],
      ["en", `Statement ${MONTH}`],
    ] as const) {
      expect(readPdf((await download(owner, OWN, language)).bytes).texts).toContain(heading);
      const { bytes } = await download(owner, `${OWN}&language=${language}`);
      expect(readPdf(bytes).texts).toContain(heading);
    }
  });

  it("is an administrator's of any user, and no other user's", async () => {
    const path = `/api/statement/export?format=pdf&month=${MONTH}&username=${owner.username}`;
    const { texts } = readPdf((await download(world.admin, path)).bytes);
    expect(texts.join("\n")).toContain(owner.username);
    const refused = await download(world.user, path);
    expect(refused.headers.get("content-type")).toContain("application/json");
    // One's own call takes no other name.
    const own = readPdf((await download(world.user, `${OWN}&username=${owner.username}`)).bytes);
    expect(own.texts.join("\n")).not.toContain(owner.username);
  });

  it("refuses a user who asks for many at once, and then serves again", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => download(owner, OWN)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses).toContain(429);
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
    for (const { headers } of answers.filter(({ status }) => status === 429))
      expect(headers.get("retry-after")).toBe("10");
    await expect.poll(async () => (await download(owner, OWN)).status).toBe(200);
  });

  it("releases what callers that leave have taken", async () => {
    for (let count = 0; count < 8; count += 1)
      await fetch(world.url + OWN, {
        headers: { cookie: owner.cookie },
        signal: AbortSignal.timeout(5),
      }).catch(() => undefined);
    await expect.poll(async () => (await download(owner, OWN)).status, { timeout: 20_000 }).toBe(200);
  });

  it("answers a check without a file, and refuses an impossible month and other lists", async () => {
    expect(await succeed(owner.api("GET", `${OWN}&check=true`))).toBeUndefined();
    for (const path of [
      "/api/statement/self/export?format=pdf&month=2026-13",
      "/api/statement/self/export?format=docx&month=2026-10",
      "/api/log/self/export?format=pdf",
      "/api/ledger/self/export?format=pdf",
    ])
      expect([path, (await owner.api("GET", path)).body]).toMatchObject([path, { success: false }]);
  });
});
