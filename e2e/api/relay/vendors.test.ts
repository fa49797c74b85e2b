import { readFileSync, writeFileSync } from "node:fs";
import { VECTOR } from "@tollgate/testkit/answer-shapes/openai-operations";
import type { FaultName } from "@tollgate/testkit/fake-upstream/faults";
import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, addKey, type Stage, startStage } from "./stage";
import { OPERATIONS, type Operation, VENDOR_ROWS, type VendorRow } from "./vendor-rows";
import { PATHS, type RawAnswer, readError, sendRaw, smallRequest, understand } from "./wire";

/*
 * Every channel type, each in every way in which it can be reached, against an upstream that answers as the vendor does
 * and checks its keys and signatures.
 */

/** Every model of these rows costs this much per token. */
const RATIO = 2;
/** What 13 prompt and 5 completion tokens cost. */
const PRICE = (13 + 5) * RATIO;

const TABLE = new URL("../../../docs/reference/upstreams.md", import.meta.url);

let stage: Stage;
let account: Account;
/** Keys of an administrator, which name the channel to use. */
let adminKey: string;
const channelIds = new Map<VendorRow, number>();

type Client = keyof typeof PATHS;

const modelOf = (row: VendorRow): string => `row-${VENDOR_ROWS.indexOf(row)}`;

beforeAll(async () => {
  stage = await startStage();
  const ratios = Object.fromEntries(VENDOR_ROWS.map(({ model }) => [model, RATIO]));
  await stage.setOption("ModelRatio", JSON.stringify(ratios));
  const completions = Object.fromEntries(VENDOR_ROWS.map(({ model }) => [model, 1]));
  await stage.setOption("CompletionRatio", JSON.stringify(completions));
  for (const row of VENDOR_ROWS) {
    const address = stage.upstream.url + (row.basePath ?? "");
    const id = await addChannel(stage.root, {
      type: row.type,
      name: row.name,
      key: row.key,
      base_url: row.isBaseInOther ? "" : address,
      other: row.isBaseInOther ? address : (row.other ?? ""),
      models: modelOf(row),
      model_mapping: JSON.stringify({ [modelOf(row)]: row.model }),
    });
    channelIds.set(row, id);
  }
  account = await stage.addAccount("alice", 100_000_000);
  adminKey = (await addKey(stage.root, { remain_quota: 100_000_000 })).key;
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

const send = (
  client: Client,
  row: VendorRow,
  more: Record<string, unknown>,
  key = account.key,
): Promise<RawAnswer> =>
  sendRaw(
    stage.server.url + PATHS[client],
    { authorization: `Bearer ${key}` },
    smallRequest(modelOf(row), more),
  );

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PICTURE = [
  {
    role: "user",
    content: [
      { type: "text", text: "what is it?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
    ],
  },
];
const TOOLS = [
  {
    type: "function",
    function: { name: "get_weather", description: "d", parameters: { type: "object", properties: {} } },
  },
];
const CALL = { id: "call_1", name: "get_weather", arguments: '{"city":"北京"}' };

/** How each operation is asked for. */
const ASKS: Readonly<Record<Operation, { client: Client; more: Record<string, unknown> }>> = {
  chat: { client: "chat", more: {} },
  stream: { client: "chat", more: { stream: true } },
  messages: { client: "messages", more: {} },
  "messages stream": { client: "messages", more: { stream: true } },
  tools: { client: "chat", more: { tools: TOOLS } },
  image: { client: "chat", more: { messages: PICTURE } },
};

interface ToolAnswer {
  choices: { finish_reason: string; message: { tool_calls: { function: object }[] } }[];
}

/** Sends one request and checks answer and charge. */
const checkOperation = async (row: VendorRow, operation: Operation): Promise<void> => {
  const { client, more } = ASKS[operation];
  const isStream = more.stream === true;
  stage.upstream.script(operation === "tools" ? { toolCalls: [CALL] } : {});
  const before = await account.figures();
  const answer = await send(client, row, more);
  expect(answer.status, answer.text).toBe(200);
  if (operation === "tools") {
    const { choices } = JSON.parse(answer.text) as ToolAnswer;
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    const { name, arguments: text } = CALL;
    expect(choices[0]?.message.tool_calls[0]?.function).toEqual({ name, arguments: text });
  } else {
    const { text, isEnded, error } = understand(client, isStream, answer.text);
    expect({ text, isEnded, error }).toEqual({
      text: DEFAULT_TEXT + (row.suffix ?? ""),
      isEnded: true,
      error: undefined,
    });
  }
  const after = await account.figures();
  const charged = before.user.quota - after.user.quota;
  expect(before.token.remain - after.token.remain).toBe(charged);
  const [line] = await account.usage();
  expect(line).toMatchObject({ quota: charged, model_name: row.model, channel: channelIds.get(row) });
  const tokens = (line?.prompt_tokens ?? 0) + (line?.completion_tokens ?? 0);
  expect(charged).toBe(tokens * RATIO);
  if (row.isCounted || (row.isStreamCounted && isStream)) {
    expect(line?.content).toContain("用量由网关计算");
    expect(line?.completion_tokens).toBeGreaterThan(5);
  } else {
    expect(charged).toBe(PRICE);
  }
  const asked = stage.upstream.requests.at(-1);
  expect(asked?.path.startsWith(row.path), asked?.path).toBe(true);
};

/** The client is told that the upstream cannot do it, and is charged nothing. */
const checkLack = async (row: VendorRow, operation: Operation): Promise<void> => {
  const { client, more } = ASKS[operation];
  const before = await account.figures();
  const answer = await send(client, row, more);
  expect(answer.status, answer.text).toBe(400);
  expect(readError(client, JSON.parse(answer.text)).message).toContain("此模型的上游");
  expect(stage.upstream.requests).toEqual([]);
  expect(await account.figures()).toEqual(before);
};

/** What passed, for the table. */
const passed = new Map<VendorRow, Set<Operation | "embeddings">>(VENDOR_ROWS.map((row) => [row, new Set()]));

const EMBEDDING_PROTOCOLS = ["openai-chat", "gemini-generate", "baidu", "dashscope", "hunyuan"];

describe.each(VENDOR_ROWS)("type $type, $name", (row) => {
  it.each(OPERATIONS.filter((operation) => !row.lacks?.includes(operation)))("%s", async (operation) => {
    await checkOperation(row, operation);
    passed.get(row)?.add(operation);
  });

  it("embeds, or says that it cannot", async () => {
    const before = await account.figures();
    const answer = await sendRaw(
      `${stage.server.url}/v1/embeddings`,
      { authorization: `Bearer ${account.key}` },
      { model: modelOf(row), input: ["hi", "there"] },
    );
    const body = JSON.parse(answer.text) as {
      data?: { index: number; embedding: number[] }[];
      usage?: { prompt_tokens: number };
      error?: { code: string };
    };
    const after = await account.figures();
    if (EMBEDDING_PROTOCOLS.includes(row.protocol)) {
      expect(answer.status, answer.text).toBe(200);
      expect(body.data).toMatchObject([
        { index: 0, embedding: VECTOR },
        { index: 1, embedding: VECTOR },
      ]);
      expect(body.usage?.prompt_tokens).toBeGreaterThan(0);
      expect(before.user.quota - after.user.quota).toBe((body.usage?.prompt_tokens ?? 0) * RATIO);
      passed.get(row)?.add("embeddings");
    } else {
      expect({ status: answer.status, code: body.error?.code }).toEqual({
        status: 400,
        code: "operation_not_supported",
      });
      expect(after).toEqual(before);
    }
  });

  const lacks = row.lacks ?? [];
  if (lacks.length > 0) {
    it.each(lacks)("says that it cannot do: %s", (operation) => checkLack(row, operation));
  }

  it.each<[FaultName, number]>([
    ["401", 503],
    ["429", 429],
    ["html-502", 502],
    ["400", 400],
  ])("tells %s as %i, whole and as a stream, for free", async (fault, status) => {
    const before = await account.figures();
    for (const stream of [false, true]) {
      stage.upstream.script({ fault });
      const answer = await send("chat", row, stream ? { stream } : {});
      expect(answer.status, answer.text).toBe(status);
      expect(readError("chat", JSON.parse(answer.text)).message).not.toContain("example.com");
    }
    expect(await account.figures()).toEqual(before);
  });

  // What never streams cannot be cut in the middle.
  if (row.protocol !== "palm") {
    it("that breaks off in the middle of a stream is free", async () => {
      const before = await account.figures();
      stage.upstream.script({ fault: "cut-mid-stream" });
      const answer = await send("chat", row, { stream: true });
      const { text, isEnded, error } = understand("chat", true, answer.text);
      expect(DEFAULT_TEXT.startsWith(text) && text !== "").toBe(true);
      expect({ isEnded, message: error?.message }).toEqual({
        isEnded: false,
        message: expect.stringContaining("未扣费"),
      });
      expect(await account.figures()).toEqual(before);
    });
  }

  it("passes the administrator's test", async () => {
    stage.upstream.script({});
    await stage.root.data("GET", `/api/channel/test/${channelIds.get(row)}`);
  });

  // A path without authentication cannot tell.
  if (!/^\/v1(?:beta)?\//.test(row.path)) {
    it("is refused with a wrong credential", async () => {
      const known = await stage.root.data<{ base_url: string; other: string; type: number }>(
        "GET",
        `/api/channel/${channelIds.get(row)}`,
      );
      const id = await addChannel(stage.root, {
        ...known,
        name: "wrong key",
        key: row.key.replaceAll(/[a-zA-Z](?=[^a-zA-Z]*$|[|.])/g, "x"),
        models: `wrong-${modelOf(row)}`,
        model_mapping: JSON.stringify({ [`wrong-${modelOf(row)}`]: row.model }),
      });
      const answer = await sendRaw(
        stage.server.url + PATHS.chat,
        { authorization: `Bearer ${adminKey}-${id}` },
        smallRequest(`wrong-${modelOf(row)}`),
      );
      expect(answer.status, answer.text).toBe(503);
      expect(answer.text).not.toContain("xxx");
    });
  }
});

describe.each(
  ["Baidu, Wenxin workshop", "Vertex AI, Gemini"].map(
    (name) => VENDOR_ROWS.find((row) => row.name === name)!,
  ),
)("an access token of $name", (row) => {
  it("is fetched once, and once more when the vendor gives it up before its time", async () => {
    const fetched = (): number =>
      stage.upstream.requests.filter(({ path }) => /^\/oauth\/|\/token$/.test(path)).length;
    await send("chat", row, {});
    stage.upstream.reset();
    for (const stream of [false, true, false]) {
      const { status } = await send("chat", row, stream ? { stream } : {});
      expect(status).toBe(200);
    }
    expect(fetched()).toBe(0);
    stage.upstream.revokeTokens();
    const before = await account.figures();
    const answers = await Promise.all([send("chat", row, {}), send("chat", row, { stream: true })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(fetched()).toBeGreaterThan(0);
    expect(before.user.quota - (await account.figures()).user.quota).toBe(2 * PRICE);
  });
});

describe("docs/reference/upstreams.md", () => {
  it("lists the calls that passed", () => {
    const columns = [...OPERATIONS, "embeddings"] as const;
    const head = ["type", "upstream", "protocol", "key", ...columns];
    const rows = VENDOR_ROWS.map((row) => [
      String(row.type),
      row.name,
      row.protocol,
      row.keyFormat,
      ...columns.map((operation) => (passed.get(row)?.has(operation) ? "yes" : "–")),
    ]);
    const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
    const mark = "<!-- written by e2e/api/relay/vendors.test.ts: UPDATE_DOCS=1 -->";
    const known = readFileSync(TABLE, "utf8");
    const [before = "", , after = ""] = known.split(mark);
    const text = [before, `\n\n${lines.join("\n")}\n\n`, after].join(mark);
    if (process.env.UPDATE_DOCS === "1") writeFileSync(TABLE, text);
    else expect(known).toBe(text);
  });
});
