import type { LogWire } from "@tollgate/contract/api/logs";
import type { Receipt } from "@tollgate/contract/api/receipts";
import type { StatementWire } from "@tollgate/contract/api/statements";
import { demand } from "@tollgate/demo/build-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addChannel, addKey, type IssuedKey, type Stage, startStage } from "./stage";

/*
 * Whatever a client is told in place of an answer, the owner of its key finds in the log: the same status, code and sentence.
 */

const ENGLISH = { "accept-language": "en" };
const BODY = { model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }], max_tokens: 5 };

let stage: Stage;
let account: Account;

beforeAll(async () => {
  stage = await startStage();
  account = await stage.addAccount("unlucky", 10_000_000);
  await addChannel(stage.root, { base_url: stage.upstream.url });
  await addChannel(stage.root, { name: "not there", base_url: "http://127.0.0.1:9", models: "gpt-4" });
});

afterAll(() => stage?.close());

interface Told {
  status: number;
  requestId: string;
  code: string;
  message: string;
}

const tell = async (key: string, body: string, path = "/v1/chat/completions"): Promise<Told> => {
  const answer = await fetch(stage.server.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...ENGLISH },
    body,
  });
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  return {
    status: answer.status,
    requestId: answer.headers.get("x-oneapi-request-id") ?? "",
    code: error.code,
    message: error.message.replace(/ \(request id: .*\)$/, ""),
  };
};

const readInEnglish = async <T>(path: string): Promise<T> =>
  (await demand(account.owner.api("GET", path, undefined, { headers: ENGLISH }))) as T;

/** Failures are stored some time after they happened. */
const readFailures = async (query: string, count: number): Promise<LogWire[]> => {
  const read = (): Promise<LogWire[]> => account.owner.data("GET", `/api/log/self/?p=0&type=5&${query}`);
  await expect.poll(async () => (await read()).length).toBe(count);
  return read();
};

const keyOf = (token: Record<string, unknown> = {}): Promise<IssuedKey> =>
  addKey(account.owner, { name: "k", unlimited_quota: true, ...token });

/** Everything for which a request of a known key is refused or fails, and how. */
const CASES: readonly [
  name: string,
  code: string,
  begin: () => Promise<{ key: string; body: string; path?: string }>,
][] = [
  [
    "a model that is not offered",
    "model_not_found",
    async () => ({ ...(await keyOf()), body: JSON.stringify({ ...BODY, model: "typo-4" }) }),
  ],
  [
    "a channel that is down",
    "upstream_failed",
    async () => ({ ...(await keyOf()), body: JSON.stringify({ ...BODY, model: "gpt-4" }) }),
  ],
  [
    "a key without quota",
    "pre_consume_token_quota_failed",
    async () => ({
      ...(await keyOf({ unlimited_quota: false, remain_quota: 1 })),
      body: JSON.stringify(BODY),
    }),
  ],
  [
    "a key that has expired",
    "token_expired",
    async () => ({ ...(await keyOf({ expired_time: 1 })), body: JSON.stringify(BODY) }),
  ],
  [
    "a model that the key may not use",
    "model_not_allowed",
    async () => ({ ...(await keyOf({ models: "gpt-4" })), body: JSON.stringify(BODY) }),
  ],
  ["a body that is no JSON", "invalid_json", async () => ({ ...(await keyOf()), body: "{" })],
  [
    "a request without messages",
    "invalid_request",
    async () => ({ ...(await keyOf()), body: JSON.stringify({ model: "gpt-3.5-turbo" }) }),
  ],
  [
    "an upstream that refuses the request",
    "invalid_request_error",
    async () => {
      stage.upstream.script({ fault: "400" });
      return { ...(await keyOf()), body: JSON.stringify(BODY) };
    },
  ],
  [
    "an upstream that fails",
    "upstream_failed",
    async () => {
      stage.upstream.script({ fault: "500" }, { fault: "500" }, { fault: "500" }, { fault: "500" });
      return { ...(await keyOf()), body: JSON.stringify(BODY) };
    },
  ],
];

describe("a request that came to nothing", () => {
  it.each(CASES)(
    "is a line with the error that its client got, and a receipt: %s",
    async (_, code, begin) => {
      const { key, body, path } = await begin();
      const told = await tell(key, body, path);
      stage.upstream.script();
      expect(told.code).toBe(code);
      const [line] = await readFailures(`request_id=${told.requestId}`, 1);
      expect(line).toMatchObject({
        type: 5,
        quota: 0,
        times: 1,
        request_id: told.requestId,
        token_name: "k",
      });
      expect({ status: line?.status, code: line?.code }).toEqual({ status: told.status, code: told.code });
      const inEnglish = await readInEnglish<LogWire[]>(`/api/log/self/?p=0&request_id=${told.requestId}`);
      expect(inEnglish.map(({ content }) => content)).toEqual([told.message]);
      const receipt = await readInEnglish<Receipt>(`/api/log/self/receipt?request_id=${told.requestId}`);
      expect(receipt).toMatchObject({ reason: told.message, code: told.code, status: told.status });
    },
  );

  it("is one line with a count where it is repeated, and stands among the others", async () => {
    const { key } = await keyOf({ name: "again" });
    const body = JSON.stringify({ ...BODY, model: "typo-5" });
    for (let times = 0; times < 5; times += 1) await tell(key, body);
    const answered = await fetch(`${stage.server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(BODY),
    });
    expect(answered.status).toBe(200);
    const read = (): Promise<LogWire[]> => account.owner.data("GET", "/api/log/self/?p=0&token_name=again");
    // A minute of the clock may end between them.
    await expect.poll(async () => (await read()).reduce((sum, { times }) => sum + times, 0)).toBe(5);
    const lines = await read();
    expect(lines.filter(({ type }) => type === 2)).toHaveLength(1);
    expect(lines.filter(({ type }) => type === 5).length).toBeLessThanOrEqual(2);
    expect(lines.find(({ type }) => type === 5)?.model_name).toBe("typo-5");
  });

  it("is told to its owner and to administrators, and to no other user", async () => {
    const { key } = await keyOf();
    const { requestId } = await tell(key, "{");
    await readFailures(`request_id=${requestId}`, 1);
    const other = await stage.addAccount("stranger", 1000);
    expect(await other.owner.data("GET", `/api/log/self/?p=0&request_id=${requestId}`)).toEqual([]);
    expect(await stage.root.data("GET", `/api/log/?p=0&request_id=${requestId}`)).toHaveLength(1);
  });

  it("leaves the total of one request its own", async () => {
    const { key } = await keyOf();
    const answered = await fetch(`${stage.server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(BODY),
    });
    const id = answered.headers.get("x-oneapi-request-id") ?? "";
    const totalOf = (request: string) =>
      account.owner.data<{ quota: number }>("GET", `/api/log/self/stat?type=0&request_id=${request}`);
    const [line] = await account.owner.data<LogWire[]>("GET", `/api/log/self/?p=0&request_id=${id}`);
    expect(line?.quota).toBeGreaterThan(0);
    expect(await totalOf(id)).toEqual({ quota: line?.quota });
    expect(await totalOf("no-such-request")).toEqual({ quota: 0 });
  });

  it("counts for no total, and leaves no row without a name in a statement", async () => {
    const total = await account.owner.data<{ quota: number }>("GET", "/api/log/self/stat?type=5");
    expect(total.quota).toBe(0);
    const month = new Date().toISOString().slice(0, 7);
    const statement = await account.owner.data<StatementWire>("GET", `/api/statement/self?month=${month}`);
    expect(statement.models.map(({ key }) => key)).toEqual(["gpt-3.5-turbo"]);
    expect(statement.tokens.filter(({ requests }) => requests === 0)).toEqual([]);
  });
});
