import { FEATURES, type FieldNode, type FieldTable } from "@tollgate/contract/relay/features";
import {
  type ClientProtocolName,
  type ProtocolName,
  RequestInvalid,
} from "@tollgate/contract/relay/protocol";
import { createRandom } from "@tollgate/testkit/random";
import { type SdkFile, sdkFields } from "@tollgate/testkit/sdk-fields";
import { seeds, someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "./protocols";
import { listAskedFields } from "./shared/request/asked-fields";
import { listLeftOut } from "./shared/request/left-out-fields";
import { FIELD_SAMPLES, type FieldSample, type Json, PLAIN } from "./shared/testing/field-samples";

/*
 * Every field that a client may send to an upstream of another protocol: it is in the body that the upstream gets, or it
 * is named as left out, or the request is refused. Nothing else.
 */

const CLIENTS = Object.keys(PLAIN) as ClientProtocolName[];

/** Models by the protocol of their upstreams: their rules differ in what they take. */
const MODELS: Readonly<Record<ProtocolName, readonly string[]>> = {
  "openai-chat": ["gpt-4o", "gpt-5", "gpt-5-search-api", "deepseek-chat", "llama-3"],
  "openai-responses": ["gpt-4.1", "gpt-5"],
  "anthropic-messages": ["claude-3-5-haiku", "claude-sonnet-4-5", "claude-opus-4-8"],
  "gemini-generate": ["gemini-1.5-pro", "gemini-2.5-flash", "gemini-3.5-flash"],
  "aiproxy-library": ["library"],
  baidu: ["ernie-4.0-8k"],
  "bedrock-converse": ["anthropic.claude-3-7-sonnet", "amazon.nova-pro"],
  dashscope: ["qwen-plus"],
  hunyuan: ["hunyuan-pro"],
  "hunyuan-legacy": ["hunyuan"],
  palm: ["chat-bison-001"],
  spark: ["generalv3.5"],
  zhipu: ["chatglm_pro"],
};

/** A request of one client protocol, on its way to another protocol's upstream. */
const send = (client: ClientProtocolName, to: ProtocolName, model: string, fields: Json) => {
  const body: Json = { ...(client === "gemini-generate" ? {} : { model }), ...PLAIN[client], ...fields };
  const { parseRequest, summarizeRequest, fields: table, spelling } = CLIENT_PROTOCOLS[client];
  const summary = summarizeRequest(body, { model, isStream: false });
  const upstream = UPSTREAM_PROTOCOLS[to];
  const request = { ...parseRequest(body, summary), model };
  const built: unknown = JSON.parse(
    JSON.stringify(upstream.buildRequest(request, { other: "v3.5", accountId: "a" }).body),
  );
  const asked = listAskedFields(body, table, spelling);
  return { built, asked, leftOut: listLeftOut(asked, upstream.carries, built) };
};

const ROWS = CLIENTS.flatMap((client) =>
  (Object.keys(UPSTREAM_PROTOCOLS) as ProtocolName[])
    .filter((to) => to !== client)
    .flatMap((to) => MODELS[to].map((model) => [client, to, model] as const)),
);

/**
 * Features whose body is the same without them: the gateway cuts answers at stop sequences itself, Anthropic's older
 * models show all that they think, and its and Google's answers always follow their schema.
 */
const isSilent = (to: ProtocolName, feature: string): boolean =>
  feature === "stop" ||
  (feature === "reasoningShown" && to === "anthropic-messages") ||
  (feature === "strictFormat" && (to === "anthropic-messages" || to === "gemini-generate"));

/** Reports whether one field is carried, named, refused or lost. */
const fateOf = (
  client: ClientProtocolName,
  to: ProtocolName,
  model: string,
  path: string,
  sample: FieldSample,
): string => {
  const { carries } = UPSTREAM_PROTOCOLS[to];
  let whole: ReturnType<typeof send>;
  try {
    whole = send(client, to, model, sample.fields);
  } catch (error) {
    if (error instanceof RequestInvalid) return "refused";
    throw error;
  }
  const { asked, leftOut, built } = whole;
  const field = asked.find((each) => each.path.replaceAll(/\[\d+\]/g, "") === path);
  if (!field) return "not seen";
  if (leftOut.includes(field)) return "named";
  const { within } = field;
  // A field that only refines something left out goes with it.
  if (within && listLeftOut([{ ...field, feature: within, within: undefined }], carries, built).length > 0)
    return "named";
  const plain = send(client, to, model, sample.without ?? {});
  const isChanged = JSON.stringify(built) !== JSON.stringify(plain.built);
  return isChanged || isSilent(to, field.feature) ? "carried" : "lost";
};

describe("a field of a request for another protocol's upstream", () => {
  it.each(someOf(ROWS))("of %s is carried, refused or named at %s with %s", (client, to, model) => {
    const lost = Object.entries(FIELD_SAMPLES[client])
      .map(([path, sample]) => `${path}: ${fateOf(client, to, model, path, sample)}`)
      .filter((fate) => !/: (?:carried|refused|named)$/.test(fate));
    expect(lost).toEqual([]);
  });

  /** Carried beside another field, or with another value, than the sample's. */
  const BESIDE: ReadonlySet<string> = new Set([
    "reasoningShown at anthropic-messages",
    "toolChoice at dashscope",
  ]);

  it.each(CLIENTS)("of %s reaches each place that an upstream's table names, with some model", (client) => {
    const unreached = (Object.keys(UPSTREAM_PROTOCOLS) as ProtocolName[])
      .filter((to) => to !== client)
      .flatMap((to) =>
        Object.entries(FIELD_SAMPLES[client]).flatMap(([path, sample]) => {
          const asked = listAskedFields(
            sample.fields,
            CLIENT_PROTOCOLS[client].fields,
            CLIENT_PROTOCOLS[client].spelling,
          );
          const field = asked.find((each) => each.path.replaceAll(/\[\d+\]/g, "") === path);
          if (!field || UPSTREAM_PROTOCOLS[to].carries[field.feature] === undefined) return [];
          if (BESIDE.has(`${field.feature} at ${to}`)) return [];
          const fates = MODELS[to].map((each) => fateOf(client, to, each, path, sample));
          return fates.includes("carried") ? [] : [`${path} at ${to}`];
        }),
      );
    expect(unreached).toEqual([]);
  });

  it.each(CLIENTS)("that no table of %s knows is named", (client) => {
    const to = client === "openai-chat" ? "openai-responses" : "openai-chat";
    expect(send(client, to, "gpt-4o", { unheard_of: { deep: 1 } }).leftOut).toContainEqual(
      expect.objectContaining({ feature: "unknown", path: "unheard_of" }),
    );
  });

  it.each(CLIENTS)("of %s never hides another: in random company each is still named (seeded)", (client) => {
    const samples = Object.entries(FIELD_SAMPLES[client]).filter(([, { without }]) => without === undefined);
    const rows = ROWS.filter(([from]) => from === client);
    let tried = 0;
    for (const seed of seeds(60)) {
      const random = createRandom(seed);
      const chosen = samples.filter(() => random() < 0.2);
      const [, to, model] = rows[Math.floor(random() * rows.length)] ?? [];
      if (to === undefined || model === undefined) continue;
      const together = Object.assign({}, ...chosen.map(([, { fields }]) => fields)) as Json;
      try {
        const { leftOut, built } = send(client, to, model, together);
        tried += 1;
        for (const [path, { fields }] of chosen) {
          const [name = ""] = Object.keys(fields);
          // Another sample may have replaced the field.
          if (JSON.stringify(together[name]) !== JSON.stringify(fields[name])) continue;
          const alone = send(client, to, model, fields);
          for (const { path: named, feature } of alone.leftOut) {
            const isNamed = leftOut.some((field) => field.path === named);
            const isThere =
              listLeftOut(
                [{ feature, path: named, within: undefined }],
                UPSTREAM_PROTOCOLS[to].carries,
                built,
              ).length === 0;
            expect(isNamed || isThere, `seed ${seed}: ${path} at ${to}`).toBe(true);
          }
        }
      } catch (error) {
        if (!(error instanceof RequestInvalid)) throw error;
      }
    }
    expect(tried).toBeGreaterThan(0);
  });
});

const nodesAt = (table: FieldTable, path: string): FieldTable => {
  let fields = table;
  for (const name of path === "" ? [] : path.split(".")) fields = fields[name]?.fields ?? {};
  return fields;
};

const nodeAt = (table: FieldTable, path: string): FieldNode | undefined => {
  const at = path.lastIndexOf(".");
  return nodesAt(table, path.slice(0, Math.max(0, at)))[path.slice(at + 1)];
};

/** All fields that ask for something, each once. */
const leavesOf = (table: FieldTable, path: string, seen: Set<FieldNode>): [string, FieldNode][] =>
  Object.entries(table).flatMap(([name, node]): [string, FieldNode][] => {
    if (seen.has(node)) return [];
    seen.add(node);
    const own: [string, FieldNode][] = node.feature || node.featureOf ? [[`${path}${name}`, node]] : [];
    return [...own, ...leavesOf(node.fields ?? {}, `${path}${name}.`, seen)];
  });

/** Declarations of the SDKs, and where their fields stand in the tables. */
const DECLARATIONS: readonly (readonly [ClientProtocolName, SdkFile, string, string])[] = [
  ["openai-chat", "openai-chat", "ChatCompletionCreateParamsBase", ""],
  ["openai-chat", "openai-chat", "ChatCompletionStreamOptions", "stream_options"],
  ["openai-chat", "openai-chat", "ChatCompletionSystemMessageParam", "messages"],
  ["openai-chat", "openai-chat", "ChatCompletionUserMessageParam", "messages"],
  ["openai-chat", "openai-chat", "ChatCompletionAssistantMessageParam", "messages"],
  ["openai-chat", "openai-chat", "ChatCompletionToolMessageParam", "messages"],
  ["openai-chat", "openai-chat", "ChatCompletionContentPartText", "messages.content"],
  ["openai-chat", "openai-chat", "ChatCompletionContentPartImage.ImageURL", "messages.content.image_url"],
  ["openai-chat", "openai-chat", "ChatCompletionContentPartInputAudio", "messages.content"],
  ["openai-chat", "openai-chat", "ChatCompletionFunctionTool", "tools"],
  ["openai-chat", "openai-chat", "ChatCompletionCustomTool", "tools"],
  ["openai-chat", "openai-chat", "ChatCompletionCustomTool.Custom", "tools.custom"],
  ["openai-chat", "openai-chat", "ChatCompletionCreateParams.WebSearchOptions", "web_search_options"],
  [
    "openai-chat",
    "openai-chat",
    "ChatCompletionCreateParams.WebSearchOptions.UserLocation.Approximate",
    "web_search_options.user_location.approximate",
  ],
  ["openai-chat", "openai-shared", "FunctionDefinition", "tools.function"],
  ["openai-chat", "openai-shared", "ResponseFormatJSONSchema.JSONSchema", "response_format.json_schema"],
  ["openai-responses", "openai-responses", "ResponseCreateParamsBase", ""],
  ["openai-responses", "openai-responses", "ResponseTextConfig", "text"],
  ["openai-responses", "openai-responses", "ResponseFormatTextJSONSchemaConfig", "text.format"],
  ["openai-responses", "openai-shared", "Reasoning", "reasoning"],
  ["openai-responses", "openai-responses", "ResponseCreateParams.StreamOptions", "stream_options"],
  ["openai-responses", "openai-responses", "FunctionTool", "tools"],
  ["openai-responses", "openai-responses", "CustomTool", "tools"],
  ["openai-responses", "openai-responses", "NamespaceTool", "tools"],
  ["openai-responses", "openai-responses", "NamespaceTool.Function", "tools.tools"],
  ["openai-responses", "openai-responses", "ToolSearchTool", "tools"],
  ["openai-responses", "openai-responses", "WebSearchTool", "tools"],
  ["openai-responses", "openai-responses", "WebSearchTool.Filters", "tools.filters"],
  ["openai-responses", "openai-responses", "WebSearchTool.UserLocation", "tools.user_location"],
  ["openai-responses", "openai-responses", "WebSearchPreviewTool", "tools"],
  ["openai-responses", "openai-responses", "Tool.ImageGeneration", "tools"],
  ["anthropic-messages", "anthropic-messages", "MessageCreateParamsBase", ""],
  ["anthropic-messages", "anthropic-beta", "MessageCreateParamsBase", ""],
  ["anthropic-messages", "anthropic-messages", "Tool", "tools"],
  ["anthropic-messages", "anthropic-beta", "BetaTool", "tools"],
  ["anthropic-messages", "anthropic-messages", "WebSearchTool20250305", "tools"],
  ["anthropic-messages", "anthropic-messages", "WebSearchTool20260209", "tools"],
  ["anthropic-messages", "anthropic-messages", "UserLocation", "tools.user_location"],
  ["anthropic-messages", "anthropic-messages", "TextBlockParam", "system"],
  ["anthropic-messages", "anthropic-messages", "TextBlockParam", "messages.content"],
  ["anthropic-messages", "anthropic-messages", "ImageBlockParam", "messages.content"],
  ["anthropic-messages", "anthropic-messages", "DocumentBlockParam", "messages.content"],
  ["anthropic-messages", "anthropic-messages", "SearchResultBlockParam", "messages.content"],
  ["anthropic-messages", "anthropic-messages", "ToolUseBlockParam", "messages.content"],
  ["anthropic-messages", "anthropic-messages", "ToolResultBlockParam", "messages.content"],
  ["anthropic-messages", "anthropic-messages", "ThinkingConfigEnabled", "thinking"],
  ["anthropic-messages", "anthropic-beta", "BetaThinkingConfigAdaptive", "thinking"],
  ["anthropic-messages", "anthropic-beta", "BetaOutputConfig", "output_config"],
  ["anthropic-messages", "anthropic-messages", "JSONOutputFormat", "output_config.format"],
  ["anthropic-messages", "anthropic-messages", "Metadata", "metadata"],
  ["anthropic-messages", "anthropic-messages", "ToolChoiceTool", "tool_choice"],
  ["gemini-generate", "gemini-generate", "GenerationConfig", "generationConfig"],
  ["gemini-generate", "gemini-generate", "ThinkingConfig", "generationConfig.thinkingConfig"],
  ["gemini-generate", "gemini-generate", "FunctionDeclaration", "tools.functionDeclarations"],
  ["gemini-generate", "gemini-generate", "GoogleSearch", "tools.googleSearch"],
  ["gemini-generate", "gemini-generate", "GoogleSearchRetrieval", "tools.googleSearchRetrieval"],
  ["gemini-generate", "gemini-generate", "ToolConfig", "toolConfig"],
  ["gemini-generate", "gemini-generate", "FunctionCallingConfig", "toolConfig.functionCallingConfig"],
  ["gemini-generate", "gemini-generate", "RetrievalConfig", "toolConfig.retrievalConfig"],
  ["gemini-generate", "gemini-generate", "FunctionResponse", "contents.parts.functionResponse"],
];

/** Fields of the SDK's `config` that go on the wire. */
const GEMINI_CONFIG = sdkFields("gemini-generate", "GenerateContentConfig").filter(
  (name) => !["httpOptions", "abortSignal", "automaticFunctionCalling"].includes(name),
);

describe("the table of a client protocol's fields", () => {
  it.each(DECLARATIONS)("of %s knows each field of the SDK's %s %s", (client, file, declaration, path) => {
    const fields = nodesAt(CLIENT_PROTOCOLS[client].fields, path);
    expect(sdkFields(file, declaration).filter((name) => !Object.hasOwn(fields, name))).toEqual([]);
  });

  it("of gemini-generate knows each field of the SDK's configuration", () => {
    const { fields } = CLIENT_PROTOCOLS["gemini-generate"];
    const known = { ...fields, ...fields.generationConfig?.fields };
    expect(GEMINI_CONFIG.filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  });

  it.each(CLIENTS)("of %s has a sample for each field that asks for something", (client) => {
    const { fields } = CLIENT_PROTOCOLS[client];
    const sampled = new Set(Object.keys(FIELD_SAMPLES[client]).map((path) => nodeAt(fields, path)));
    const missing = leavesOf(fields, "", new Set())
      .filter(([, node]) => !sampled.has(node))
      .map(([path]) => path);
    // A field of a tool that is left out as a whole asks for nothing by itself.
    expect(
      missing.filter(
        (path) =>
          !path.startsWith("input.tools.") ||
          !/image|quality|size|background|action|moderation|compression|format|fidelity|model$/.test(path),
      ),
    ).toEqual([]);
    expect([...sampled].filter((node) => node === undefined)).toEqual([]);
  });

  it("names no feature that no client asks for", () => {
    const asked = new Set(
      CLIENTS.flatMap((client) =>
        leavesOf(CLIENT_PROTOCOLS[client].fields, "", new Set()).map(([, { feature }]) => feature),
      ),
    );
    const byValue = [
      "storage",
      "looseSafety",
      "strictSafety",
      "format",
      "toolChoice",
      "webSearch",
      "storedSearch",
    ];
    const known = [
      ...asked,
      ...byValue,
      "imageGeneration",
      "hostedToolSearch",
      "included",
      "reasoning",
      "logprobs",
    ];
    expect(Object.keys(FEATURES).filter((name) => !known.includes(name))).toEqual([]);
  });
});
