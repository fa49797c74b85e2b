import { PICTURE } from "@tollgate/testkit/answer-shapes/native-images";
import { FAKE_KEYS } from "@tollgate/testkit/fake-upstream/credentials";
import { PICTURE_ADDRESS } from "@tollgate/testkit/fake-upstream/plan-answers";
import { serviceAccountFile } from "@tollgate/testkit/fake-upstream/service-account";
import OpenAI, { type APIError, toFile } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Figures, type Stage, startStage } from "../api/relay/stage";

/*
 * Pictures that the official OpenAI client asks of vendors with a shape of their own: what arrives, what the upstream was
 * sent, and what it cost, to the unit.
 */

const QUOTA_PER_USD = 500_000;
const PRICE_USD = 0.02;
const PER_PICTURE = PRICE_USD * QUOTA_PER_USD;

interface Vendor {
  name: string;
  channel: Record<string, unknown>;
  generates: string;
  edits: string;
  /** Paths of the upstream's calls. */
  path: string;
  editPath: string;
  hasAddresses: boolean;
}

const MULTIMODAL = "/api/v1/services/aigc/multimodal-generation/generation";
const TEXT_TO_IMAGE = "/api/v1/services/aigc/text2image/image-synthesis";
const IMAGE_TO_IMAGE = "/api/v1/services/aigc/image2image/image-synthesis";

const vendorsAt = (url: string): readonly Vendor[] => [
  {
    name: "Gemini",
    channel: { type: 24, base_url: url, key: FAKE_KEYS.plain },
    generates: "gemini-3-pro-image-preview",
    edits: "gemini-2.5-flash-image",
    path: "/v1beta/models/gemini-3-pro-image-preview:generateContent",
    editPath: "/v1beta/models/gemini-2.5-flash-image:generateContent",
    hasAddresses: false,
  },
  {
    name: "Vertex",
    channel: { type: 42, base_url: `${url}/vertex`, key: serviceAccountFile(), other: "europe-west4" },
    generates: "imagen-4.0-generate-001",
    edits: "imagen-3.0-capability-001",
    path: "/vertex/v1/projects/fake-project/locations/europe-west4/publishers/google/models/imagen-4.0-generate-001:predict",
    editPath:
      "/vertex/v1/projects/fake-project/locations/europe-west4/publishers/google/models/imagen-3.0-capability-001:predict",
    hasAddresses: false,
  },
  {
    name: "DashScope",
    channel: { type: 17, base_url: `${url}/api/v1`, key: FAKE_KEYS.plain },
    generates: "qwen-image-2.0",
    edits: "qwen-image-edit-plus",
    path: MULTIMODAL,
    editPath: MULTIMODAL,
    hasAddresses: true,
  },
  {
    name: "DashScope with tasks, beside its compatible address",
    channel: { type: 17, base_url: `${url}/compatible-mode/v1`, key: FAKE_KEYS.plain },
    generates: "wan2.5-t2i-preview",
    edits: "wan2.5-i2i-preview",
    path: TEXT_TO_IMAGE,
    editPath: IMAGE_TO_IMAGE,
    hasAddresses: true,
  },
  {
    name: "Volcengine Ark",
    channel: { type: 40, base_url: `${url}/api/v3`, key: FAKE_KEYS.plain },
    generates: "doubao-seedream-4-5-251128",
    edits: "doubao-seededit-3-0-i2i-250628",
    path: "/api/v3/images/generations",
    editPath: "/api/v3/images/generations",
    hasAddresses: true,
  },
];

let stage: Stage;
let account: Account;
let client: OpenAI;
let before: Figures;
const channelIds = new Map<string, number>();

const NAMES = vendorsAt("").map(({ name }) => name);
const vendorOf = (name: string): Vendor => {
  const found = vendorsAt(stage.upstream.url).find((vendor) => vendor.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

beforeAll(async () => {
  stage = await startStage();
  const vendors = vendorsAt(stage.upstream.url);
  for (const { name, channel, generates, edits } of vendors) {
    channelIds.set(name, await addChannel(stage.root, { ...channel, name, models: `${generates},${edits}` }));
  }
  const prices = vendors.flatMap(({ generates, edits }) =>
    [generates, edits].map((model) => [model, { perCall: PRICE_USD }]),
  );
  await stage.setOption("ModelPrice", JSON.stringify(Object.fromEntries(prices)));
  account = await stage.addAccount("painter", 10_000_000);
  client = new OpenAI({ apiKey: account.key, baseURL: `${stage.server.url}/v1`, maxRetries: 0 });
});

afterAll(async () => {
  await stage.close();
});

beforeEach(async () => {
  stage.upstream.reset();
  before = await account.figures();
});

const chargedPictures = async (): Promise<number> => {
  const after = await account.figures();
  expect(before.token.remain - after.token.remain).toBe(before.user.quota - after.user.quota);
  return (before.user.quota - after.user.quota) / PER_PICTURE;
};

const failure = async (asked: Promise<unknown>): Promise<APIError> =>
  asked.then(
    () => {
      throw new Error("it was answered");
    },
    (error: APIError) => error,
  );

describe.each(NAMES)("%s", (name) => {
  it("generates a picture for its price", async () => {
    const { generates: model, path, hasAddresses } = vendorOf(name);
    const { data, created } = await client.images.generate({ model, prompt: "a cat" });
    expect(data).toEqual([hasAddresses ? { url: PICTURE_ADDRESS } : { b64_json: PICTURE }]);
    expect(created).toBeGreaterThan(1_700_000_000);
    const asked = stage.upstream.requests.find((request) => request.path === path);
    expect(JSON.stringify(asked?.body)).toContain("a cat");
    expect(await chargedPictures()).toBe(1);
    const [line] = await account.usage();
    expect(line).toMatchObject({ model_name: model, channel: channelIds.get(name), quota: PER_PICTURE });
  });

  it("edits a picture for its price", async () => {
    const { edits: model, editPath } = vendorOf(name);
    const image = await toFile(Buffer.from(PICTURE, "base64"), "a.png", { type: "image/png" });
    const { data } = await client.images.edit({ model, prompt: "a hat", image });
    expect(data).toHaveLength(1);
    const asked = stage.upstream.requests.find((request) => request.path === editPath);
    expect(JSON.stringify(asked?.body)).toContain(PICTURE);
    expect(await chargedPictures()).toBe(1);
  });

  it("is free and says why when its filter refuses", async () => {
    stage.upstream.script({ pictures: 0 });
    const error = await failure(
      client.images.generate({ model: vendorOf(name).generates, prompt: "something" }),
    );
    expect({ status: error.status, message: error.message }).toEqual({
      status: 400,
      message: expect.stringMatching(/refused this request: .*(filtered|IMAGE_SAFETY)/),
    });
    expect(await chargedPictures()).toBe(0);
  });

  it("refuses what it cannot do with a sentence, and asks no upstream", async () => {
    const { generates: model } = vendorOf(name);
    const error = await failure(client.images.generate({ model, prompt: "a cat", style: "vivid" }));
    expect({ status: error.status, message: error.message }).toEqual({
      status: 400,
      message: expect.stringContaining("style is not supported by the upstream of this model"),
    });
    expect(stage.upstream.requests).toEqual([]);
    expect(await chargedPictures()).toBe(0);
  });

  it("is free when it fails", async () => {
    stage.upstream.script({ fault: "500" });
    const error = await failure(client.images.generate({ model: vendorOf(name).generates, prompt: "a cat" }));
    expect(error.status).toBe(502);
    expect(await chargedPictures()).toBe(0);
  });

  it("passes the administrator's test of pictures", async () => {
    const { generates: model } = vendorOf(name);
    const id = channelIds.get(name);
    const endpoints = await stage.root.data<string[]>("GET", `/api/channel/endpoints/${id}`);
    expect(endpoints).toContain("images");
    const body = { model, endpoint: "images", prompt: "a cat" };
    const { ok, reason } = await stage.root.data<{ ok: boolean; reason?: string }>(
      "POST",
      `/api/channel/test/${id}`,
      body,
    );
    expect({ ok, reason }).toEqual({ ok: true, reason: undefined });
  });
});

describe("several pictures", () => {
  it("are charged as they are delivered", async () => {
    stage.upstream.script({ pictures: 2 });
    const { data } = await client.images.generate({ model: "wan2.5-t2i-preview", prompt: "cats", n: 4 });
    expect(data).toHaveLength(2);
    expect(await chargedPictures()).toBe(2);
  });

  it("beyond what was asked for are not charged", async () => {
    stage.upstream.script({ pictures: 5 });
    const { data } = await client.images.generate({ model: "qwen-image-2.0", prompt: "cats", n: 2 });
    expect(data).toHaveLength(2);
    expect(await chargedPictures()).toBe(2);
  });
});

describe("a task", () => {
  it("is given up with the client, for nothing", async () => {
    const leaving = new AbortController();
    const asked = failure(
      client.images.generate({ model: "wan2.5-t2i-preview", prompt: "a cat" }, { signal: leaving.signal }),
    );
    await expect.poll(() => stage.upstream.requests.length).toBe(1);
    leaving.abort();
    await asked;
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(stage.upstream.requests).toHaveLength(1);
    expect(await chargedPictures()).toBe(0);
  });
});

describe("a picture that the client wants as data", () => {
  it("is never fetched from the gateway's own network", async () => {
    stage.upstream.script({ pictureAddress: `${stage.upstream.url}/private.png` });
    const error = await failure(
      client.images.generate({ model: "qwen-image-2.0", prompt: "a cat", response_format: "b64_json" }),
    );
    expect(error.status).toBe(502);
    expect(stage.upstream.requests.map(({ path }) => path)).toEqual([MULTIMODAL]);
    expect(await chargedPictures()).toBe(0);
  });
});
