import { once } from "node:events";
import { connect } from "node:net";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { createRandom } from "@tollgate/testkit/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, succeed } from "./client";
import { type ManagementWorld, startManagementWorld } from "./management-world";
import type { JsonSchema } from "./schema-check";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
  // The records 1 that bodies name.
  await addChannel(world.root, { base_url: "http://127.0.0.1:9", key: "key-of-nobody" });
  await addApiKey(world.root);
  await succeed(world.root.api("POST", "/api/redemption/", { name: "code", quota: 1, count: 1 }));
});
afterAll(() => world?.stop());

interface DescribedCall {
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  parameters?: { name: string; in: string }[];
}

/** What a program may put where a text or a number is expected. */
const ODD_VALUES: readonly unknown[] = [
  { toString: 1 },
  { toString: null, valueOf: 1 },
  { toJSON: 1 },
  { length: 3 },
  { constructor: { prototype: 1 } },
  { split: 1, trim: 1 },
  [],
  [[]],
  [{ toString: 1 }],
  {},
  null,
  true,
  "",
  " ",
  "\ud800",
  "\u202e\u0000",
  "__proto__",
  "constructor",
  "%",
  "{{{",
  "x".repeat(5000),
  -1,
  0,
  0.5,
  1e308,
  -1e21,
  Number.MAX_SAFE_INTEGER,
  "9007199254740993",
];

/** Whole bodies. `__proto__` is a name like any other in JSON. */
const ODD_BODIES = [
  '{"__proto__":{"id":1}}',
  '{"constructor":1,"toString":1,"hasOwnProperty":1}',
  "[[[]]]",
  "[null]",
  '{"":""}',
];

const writtenOf = (value: unknown): string =>
  encodeURIComponent(
    typeof value === "string" ? value.replace(/[\ud800-\udfff]/g, "") : JSON.stringify(value),
  );

describe("S17: first bytes that are no HTTP", () => {
  it.each([
    ["the greeting of TLS", Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
    ["another protocol's", Buffer.from("SSH-2.0-OpenSSH_9.6\r\n")],
    ["zeros", Buffer.alloc(64)],
  ])("are answered and closed at once: %s", async (_what, bytes) => {
    const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
    let said = "";
    socket.on("data", (chunk: Buffer) => {
      said += chunk.toString("latin1");
    });
    const begin = performance.now();
    socket.write(bytes);
    await once(socket, "close");
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect(performance.now() - begin).toBeLessThan(5000);
  });
});

describe("S17: values of any kind", () => {
  it.each([1, 2])(
    "never make the gateway fail, in any field of any call (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
      const { paths } = world.document as unknown as { paths: Record<string, Record<string, DescribedCall>> };
      const failed: string[] = [];
      let calls = 0;
      const call = async (method: string, path: string, body: unknown): Promise<void> => {
        calls += 1;
        const answer = await callApi(world.url, method, path, body, { cookie: world.root.cookie });
        // 401 would mean that nothing was looked at.
        if (answer.status >= 500 || answer.status === 401)
          failed.push(`${answer.status} ${method} ${path} ${JSON.stringify(body)}: ${answer.text}`);
      };
      for (const [template, operations] of Object.entries(paths)) {
        for (const [name, operation] of Object.entries(operations)) {
          const method = name.toUpperCase();
          // These would end or lock the account that the others are made with.
          if (
            /\/setup|\/logout$|\/user\/manage$/.test(template) ||
            (method === "DELETE" && template === "/api/user/self")
          )
            continue;
          const schema = operation.requestBody?.content["application/json"]?.schema;
          const fields = Object.keys((schema?.properties ?? {}) as object).filter(
            (field) => field !== "password",
          );
          const pathOf = (value: unknown): string => template.replace(/\{\w+\}/g, () => writtenOf(value));
          const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
          for (const parameter of [...query.map((each) => each.name), "p", "keyword", "start_timestamp"]) {
            if (method !== "GET") break;
            await call(
              method,
              `${pathOf(pick(ODD_VALUES))}?${parameter}=${writtenOf(pick(ODD_VALUES))}`,
              undefined,
            );
          }
          for (const text of schema ? ODD_BODIES : []) await call(method, pathOf(1), text);
          for (const field of fields) {
            for (const value of [pick(ODD_VALUES), pick(ODD_VALUES), { toString: 1 }]) {
              const others = Object.fromEntries(fields.map((each) => [each, pick([...ODD_VALUES, 1, "a"])]));
              // The caller keeps its name, by which it could otherwise not be found again.
              const isName = field === "username" && typeof value === "string";
              const wanted = { ...others, username: "", id: 1, ...(isName ? {} : { [field]: value }) };
              await call(method, pathOf(pick([1, "a"])), isName ? {} : { [field]: value });
              await call(method, pathOf(1), wanted);
            }
          }
        }
      }
      expect(calls).toBeGreaterThan(400);
      expect(failed).toEqual([]);
      // Some 2300 calls, one after the other.
    },
    60_000,
  );
});
