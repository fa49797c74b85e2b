import { generateKeyPairSync } from "node:crypto";
import type { Channel } from "@tollgate/contract/api/channels";
import type { UpstreamErrorKind } from "@tollgate/contract/relay/error";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { channelOf as anyChannelOf } from "@tollgate/testkit/channel-of";
import { VENDORS } from "@tollgate/vendors/vendors";
import { describe, expect, it } from "vitest";
import { bodyBytes } from "../auth/body-bytes";
import { buildCall } from "../pipeline/build-call";
import type { UpstreamRequest } from "../ports/transport";
import { createUpstreamTarget, createUpstreamTargets, routeFor, upstreamModelOf } from "./upstream-target";

/** A channel at its vendor's own address. */
const channelOf = (fields: Partial<Channel>): Channel => anyChannelOf({ baseUrl: "", ...fields });

const client = CLIENT_PROTOCOLS["openai-chat"];

/** What a channel's upstream is sent for a Chat Completions request, before it is signed. */
const callOf = (fields: Partial<Channel>, key: string, model: string, more: object = {}): UpstreamRequest => {
  const channel = channelOf(fields);
  const entry = createUpstreamTarget(channel, key);
  if (!entry) throw new Error("the channel cannot be relayed to");
  const body = { model, messages: [{ role: "user", content: "hi" }], ...more };
  const mapped = upstreamModelOf(channel, model);
  const raw = Buffer.from(JSON.stringify(body));
  return buildCall(client, routeFor(entry, mapped), raw, body, mapped, client.summarizeRequest(body));
};

const urlOf = ({ origin, path }: UpstreamRequest): string => origin + path;

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const ACCOUNT = {
  type: "service_account",
  project_id: "my-project",
  private_key_id: "k1",
  private_key: privateKey,
  client_email: "gateway@my-project.iam.gserviceaccount.com",
};
const KEY_FILE = JSON.stringify(ACCOUNT);
const REGIONAL = "/v1/projects/my-project/locations";

const WENXIN = "https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop/chat";

describe("the address of a channel", () => {
  it.each<[number, string, string, Partial<Channel>, string]>([
    [1, "k", "gpt-4", {}, "https://api.openai.com/v1/chat/completions"],
    [8, "k", "m", { baseUrl: "http://h:1/x" }, "http://h:1/x/v1/chat/completions"],
    [8, "k", "m", { baseUrl: "http://h:1/v1" }, "http://h:1/v1/chat/completions"],
    [
      11,
      "k",
      "PaLM-2",
      {},
      "https://generativelanguage.googleapis.com/v1beta2/models/chat-bison-001:generateMessage",
    ],
    [
      11,
      "k",
      "gemini-2.5-pro",
      {},
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent",
    ],
    [15, "a|b", "ERNIE-Bot", {}, `${WENXIN}/completions`],
    [15, "bce-v3/ALTAK-a/b", "ernie-5.0", {}, "https://qianfan.baidubce.com/v2/chat/completions"],
    [15, "bce-v3/ALTAK-a/b", "ernie-5.0", { baseUrl: "http://h" }, "http://h/v2/chat/completions"],
    [16, "id.secret", "glm-5", {}, "https://open.bigmodel.cn/api/paas/v4/chat/completions"],
    [
      16,
      "id.secret",
      "glm-5",
      { baseUrl: "https://api.z.ai/api/coding/paas/v4" },
      "https://api.z.ai/api/coding/paas/v4/chat/completions",
    ],
    [16, "id.secret", "chatglm_pro", {}, "https://open.bigmodel.cn/api/paas/v3/model-api/chatglm_pro/invoke"],
    [16, "plain", "chatglm_pro", {}, "https://open.bigmodel.cn/api/paas/v4/chat/completions"],
    [17, "sk-1", "qwen-plus", {}, "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions"],
    [
      17,
      "sk-1",
      "qwen-plus",
      { baseUrl: "https://dashscope-intl.aliyuncs.com/api/v1" },
      "https://dashscope-intl.aliyuncs.com/api/v1/services/aigc/text-generation/generation",
    ],
    [18, "a|b|c", "SparkDesk", { other: "v3.5" }, "wss://spark-api.xf-yun.com/v3.5/chat"],
    [18, "a|b|c", "SparkDesk", { other: "v3.5", baseUrl: "http://h" }, "ws://h/v3.5/chat"],
    [18, "password", "SparkDesk-v3.5", {}, "https://spark-api-open.xf-yun.com/v1/chat/completions"],
    [21, "k", "m", { other: "lib" }, "https://api.aiproxy.io/api/library/ask"],
    [22, "k-app", "m", {}, "https://fastgpt.run/api/openapi/v1/chat/completions"],
    [
      22,
      "k-app",
      "m",
      { other: "https://f.example.com/api/" },
      "https://f.example.com/api/v1/chat/completions",
    ],
    [
      22,
      "k-app",
      "m",
      { other: "https://f.example.com/api", baseUrl: "http://h" },
      "http://h/v1/chat/completions",
    ],
    [
      33,
      "AK|SK|eu-west-1",
      "anthropic.claude-haiku-4-5-20251001-v1:0",
      {},
      "https://bedrock-runtime.eu-west-1.amazonaws.com/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/converse",
    ],
    [33, "AK|SK|eu-west-1|token", "m", { baseUrl: "http://h" }, "http://h/model/m/converse"],
    [23, "1|a|b", "hunyuan-pro", {}, "https://hunyuan.tencentcloudapi.com/"],
    [23, "a|b", "hunyuan", {}, "https://hunyuan.tencentcloudapi.com/"],
    [23, "1|a|b", "hunyuan", {}, "https://hunyuan.cloud.tencent.com/hyllm/v1/chat/completions"],
    [23, "sk-1", "hunyuan-pro", {}, "https://tokenhub.tencentmaas.com/v1/chat/completions"],
  ])("of type %i with the key %s for %s %j", (type, key, model, fields, url) => {
    expect(urlOf(callOf({ type, ...fields }, key, model))).toBe(url);
  });

  it("has every key of a channel in every way, through the channel's proxy", () => {
    const entries = createUpstreamTargets(channelOf({ type: 16 }), {
      key: "a.b\nnot.\nc.d",
      proxy: "http://proxy.test",
    });
    expect(entries.map((entry) => routeFor(entry, "chatglm_pro"))).toMatchObject([
      { id: entries[0]?.id, proxy: "http://proxy.test", protocol: { name: "zhipu" } },
      { id: entries[1]?.id, proxy: "http://proxy.test", protocol: { name: "zhipu" } },
    ]);
    expect(routeFor(entries[0]!, "glm-5").protocol.name).toBe("openai-chat");
  });

  it("has Spark's models under their names over HTTP", () => {
    const call = callOf({ type: 18 }, "password", "SparkDesk-v3.5");
    expect(JSON.parse(String(call.body)).model).toBe("generalv3.5");
  });

  it("exists for every type, and not for a key of another form", () => {
    for (const { type, keyForms } of VENDORS) {
      const entry = createUpstreamTarget(channelOf({ type, baseUrl: "http://h" }), "a|b|c.d|e|f");
      expect(entry === undefined, String(type)).toBe(keyForms?.separator === "|");
    }
    expect(createUpstreamTarget(channelOf({ type: 33 }), "a|b|c|d|e")).toBeUndefined();
    expect(createUpstreamTarget(channelOf({ type: 15 }), "a|")).toBeUndefined();
  });
});

describe("Vertex AI's addresses", () => {
  it.each<[string, Partial<Channel>, string]>([
    [
      "gemini-2.5-pro",
      {},
      `https://aiplatform.googleapis.com${REGIONAL}/global/publishers/google/models/gemini-2.5-pro:generateContent`,
    ],
    [
      "gemini-2.5-pro",
      { other: "us-central1" },
      `https://us-central1-aiplatform.googleapis.com${REGIONAL}/us-central1/publishers/google/models/gemini-2.5-pro:generateContent`,
    ],
    [
      "claude-sonnet-4-5-20250929",
      { other: "eu" },
      `https://aiplatform.eu.rep.googleapis.com${REGIONAL}/eu/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`,
    ],
    [
      "claude-opus-4-8@default",
      { baseUrl: "http://h/x" },
      `http://h/x${REGIONAL}/global/publishers/anthropic/models/claude-opus-4-8@default:rawPredict`,
    ],
    [
      "meta/llama-4-maverick-17b-128e-instruct-maas",
      { other: "us-east5" },
      "https://us-east5-aiplatform.googleapis.com/v1beta1/projects/my-project/locations/us-east5/endpoints/openapi/chat/completions",
    ],
  ])("for %s with %j", (model, fields, url) => {
    expect(urlOf(callOf({ type: 42, ...fields }, KEY_FILE, model))).toBe(url);
  });

  it("of express mode have no project", () => {
    const call = callOf({ type: 42, other: "us-central1" }, "AIzaKey", "gemini-2.5-pro", { stream: true });
    expect(urlOf(call)).toBe(
      "https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    );
    expect(call.headers).toMatchObject({ "x-goog-api-key": "AIzaKey" });
  });

  it.each<[string, string]>([
    ["a file of another kind", JSON.stringify({ ...ACCOUNT, type: "authorized_user" })],
    ["a file without its key", JSON.stringify({ ...ACCOUNT, private_key: "" })],
    ["a file whose key is none", JSON.stringify({ ...ACCOUNT, private_key: `${privateKey.slice(0, 60)}…` })],
    ["a project that could lead elsewhere", JSON.stringify({ ...ACCOUNT, project_id: "a/../b" })],
    ["half a file", KEY_FILE.slice(0, -1)],
  ])("do not exist for %s", (_, key) => {
    expect(createUpstreamTarget(channelOf({ type: 42 }), key)).toBeUndefined();
  });

  it("exist for a file whose line breaks are written out twice, and not for an invalid region", () => {
    const twice = JSON.stringify({ ...ACCOUNT, private_key: privateKey.replaceAll("\n", "\\n") });
    expect(createUpstreamTarget(channelOf({ type: 42 }), twice)).toBeDefined();
    expect(createUpstreamTarget(channelOf({ type: 42, other: "evil.test/" }), KEY_FILE)).toBeUndefined();
  });

  it("name Claude's model, so that the body must not", () => {
    const anthropic = CLIENT_PROTOCOLS["anthropic-messages"];
    const entry = createUpstreamTarget(channelOf({ type: 42 }), KEY_FILE);
    if (!entry) throw new Error("the channel cannot be relayed to");
    const model = "claude-opus-4-8";
    const fields = { max_tokens: 10, messages: [{ role: "user", content: "hi" }], stream: true, top_k: 3 };
    const body = { model, ...fields };
    const raw = Buffer.from(JSON.stringify(body));
    const call = buildCall(
      anthropic,
      routeFor(entry, model),
      raw,
      body,
      model,
      anthropic.summarizeRequest(body),
    );
    expect(call.path).toMatch(/claude-opus-4-8:streamRawPredict$/);
    expect(JSON.parse(String(call.body))).toEqual({ ...fields, anthropic_version: "vertex-2023-10-16" });
    const translated = callOf({ type: 42 }, KEY_FILE, model, { max_tokens: 10 });
    expect(JSON.parse(String(translated.body))).toEqual({
      anthropic_version: "vertex-2023-10-16",
      max_tokens: 10,
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    });
  });
});

describe("Azure's addresses", () => {
  const BASE = "https://r.openai.azure.com";
  const CHAT = "/chat/completions";

  it.each<[string, Partial<Channel>, string]>([
    ["gpt-3.5-turbo-0613", {}, `/openai/deployments/gpt-35-turbo${CHAT}?api-version=2023-06-01-preview`],
    ["gpt-4.1", { other: "2024-10-21" }, `/openai/deployments/gpt-41${CHAT}?api-version=2024-10-21`],
    [
      "gpt-4.1",
      { modelMapping: { "gpt-4.1": "my-gpt-4.1" } },
      `/openai/deployments/my-gpt-4.1${CHAT}?api-version=2023-06-01-preview`,
    ],
    [
      "gpt-4-0314",
      { modelMapping: { "gpt-4-0314": "gpt-3.5-turbo" } },
      `/openai/deployments/gpt-35-turbo${CHAT}?api-version=2023-06-01-preview`,
    ],
    ["gpt-4.1", { other: "v1" }, `/openai/v1${CHAT}`],
    ["gpt-4.1", { other: "preview" }, `/openai/v1${CHAT}?api-version=preview`],
  ])("for %s with %j", (model, fields, path) => {
    const call = callOf({ type: 3, baseUrl: BASE, ...fields }, "azure-key", model);
    expect(urlOf(call)).toBe(BASE + path);
    expect(call.headers).toMatchObject({ "api-key": "azure-key" });
    expect(call.headers).not.toHaveProperty("authorization");
  });

  it("leaves a part to Cloudflare's gateway", () => {
    const baseUrl = "https://gateway.ai.cloudflare.com/v1/acc/gw/azure-openai/resource";
    expect(urlOf(callOf({ type: 3, baseUrl }, "k", "gpt-4"))).toBe(
      `${baseUrl}/gpt-4${CHAT}?api-version=2023-06-01-preview`,
    );
  });

  it.each([
    ["2023-06-01-preview", undefined],
    ["", undefined],
    ["2024-10-21", { include_usage: true }],
    ["v1", { include_usage: true }],
  ])("asks %s for the usage of a stream as far as it is known there", (other, stream_options) => {
    for (const more of [{ stream: true }, { stream: true, stream_options: { include_usage: true } }]) {
      const { body } = callOf({ type: 3, baseUrl: BASE, other }, "k", "gpt-4", more);
      expect(JSON.parse(Buffer.from(bodyBytes(body)).toString()).stream_options).toEqual(stream_options);
    }
  });
});

describe("the meaning of a vendor's codes", () => {
  it.each<[number, string, number, unknown, UpstreamErrorKind]>([
    [3, "k", 429, { error: { code: "insufficient_quota", message: "TPM" } }, "rate-limited"],
    [3, "k", 401, { error: { code: "401", message: "invalid subscription key" } }, "dead-key"],
    [3, "k", 404, { error: { code: "DeploymentNotFound" } }, "model-missing"],
    [3, "k", 400, { error: { code: "content_filter" } }, "caller"],
    [15, "a|b", 200, { error_code: 17, error_msg: "limit reached" }, "dead-key"],
    [15, "a|b", 200, { error_code: 18, error_msg: "qps" }, "rate-limited"],
    [15, "a|b", 200, { error_code: 336100, error_msg: "busy" }, "overloaded"],
    [15, "a|b", 200, { error_code: 6, error_msg: "no permission" }, "model-missing"],
    [15, "a|b", 200, { error_code: 336003, error_msg: "messages" }, "caller"],
    [15, "plain", 401, { error: { code: "invalid_model", message: "no" } }, "model-missing"],
    [15, "plain", 429, { error: { code: "tpm_rate_limit_exceeded", message: "no" } }, "rate-limited"],
    [16, "a.b", 429, { error: { code: "1113", message: "欠费" } }, "dead-key"],
    [16, "a.b", 429, { error: { code: "1302", message: "并发" } }, "rate-limited"],
    [16, "a.b", 400, { error: { code: "1211", message: "no model" } }, "model-missing"],
    [16, "a.b", 400, { error: { code: "1301", message: "policy" } }, "caller"],
    [17, "k", 400, { error: { code: "Arrearage", message: "Access denied" } }, "dead-key"],
    [17, "k", 429, { error: { code: "insufficient_quota", message: "exceeded" } }, "rate-limited"],
    [17, "k", 429, { code: "Throttling.RateQuota", message: "slow" }, "rate-limited"],
    [17, "k", 403, { code: "AccessDenied.Unpurchased", message: "buy" }, "model-missing"],
    [17, "k", 403, { code: "AccessDenied", message: "your account is not in good standing" }, "dead-key"],
    [18, "a|b|c", 200, [{ header: { code: 11200, message: "no licence" } }], "dead-key"],
    [18, "a|b|c", 200, [{ header: { code: 11202, message: "qps" } }], "rate-limited"],
    [18, "a|b|c", 200, [{ header: { code: 10013, message: "audit" } }], "caller"],
    [18, "plain", 200, { code: 11203, message: "busy" }, "rate-limited"],
    [22, "k-a", 500, { code: 514, statusText: "unAuthApiKey", message: "no" }, "dead-key"],
    [23, "a|b", 200, { Response: { Error: { Code: "AuthFailure.SecretIdNotFound" } } }, "dead-key"],
    [23, "a|b", 200, { Response: { Error: { Code: "AuthFailure.SignatureExpire" } } }, "overloaded"],
    [23, "a|b", 200, { Response: { Error: { Code: "RequestLimitExceeded.Uin" } } }, "rate-limited"],
    [23, "a|b", 200, { Response: { Error: { Code: "InvalidParameterValue.Model" } } }, "model-missing"],
    [23, "a|b", 200, { Response: { Error: { Code: "InvalidParameterValue.Temperature" } } }, "caller"],
    [33, "a|b|c", 429, { message: "x", __type: "a#ThrottlingException" }, "rate-limited"],
    [33, "a|b|c", 403, { message: "x", code: "UnrecognizedClientException" }, "dead-key"],
    [
      33,
      "a|b|c",
      400,
      { message: "The provided model identifier is invalid", code: "ValidationException" },
      "model-missing",
    ],
    [33, "a|b|c", 400, { message: "Input is too long", code: "ValidationException" }, "caller"],
    [
      33,
      "a|b|c",
      403,
      { message: "You don't have access to the model", code: "AccessDeniedException" },
      "model-missing",
    ],
    [
      42,
      KEY_FILE,
      403,
      { error: { code: 403, status: "PERMISSION_DENIED", details: [{ reason: "BILLING_DISABLED" }] } },
      "dead-key",
    ],
    [42, KEY_FILE, 401, { error: "invalid_grant", error_description: "Invalid JWT Signature." }, "dead-key"],
    [16, "a.b", 502, "<html>bad gateway</html>", "overloaded"],
  ])("of type %i with the key %s: %i %j is %s", (type, key, status, body, kind) => {
    const entry = createUpstreamTarget(channelOf({ type, baseUrl: "http://h" }), key);
    expect(entry?.protocol.readError(status, {}, body).kind).toBe(kind);
  });

  it("holds inside of streams, translated and passed through", () => {
    const data = JSON.stringify({ error: { code: "1113", message: "欠费" } });
    const protocol = createUpstreamTarget(channelOf({ type: 16 }), "a.b")?.protocol;
    const error = { kind: "dead-key", code: "1113" };
    expect(protocol?.createStreamReader().push("", data)).toMatchObject([{ kind: "error", error }]);
    expect(protocol?.passThrough?.inspectEvent(data).error).toMatchObject(error);
  });
});

describe("a vendor that makes its usage up", () => {
  const protocol = createUpstreamTarget(channelOf({ type: 22 }), "k-app")?.protocol;
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

  it("is not believed, whole or as a stream", () => {
    const body = { choices: [{ message: { content: "Hi" }, finish_reason: "stop" }], usage };
    expect(protocol?.isAnswer(body)).toBe(true);
    expect(protocol?.readUsage(body).outputTokens).toBeUndefined();
    expect(protocol?.readResponse(body)?.usage.outputTokens).toBeUndefined();
    const data = JSON.stringify({ choices: [{ index: 0, delta: { content: "Hi" } }], usage });
    expect(protocol?.passThrough?.inspectEvent(data)).toMatchObject({ text: "Hi", usage: undefined });
    const parts = protocol?.createStreamReader().push("", data);
    expect(parts?.map(({ kind }) => kind)).toEqual(["start", "text"]);
  });
});
