import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { isRefusal } from "@tollgate/relay/admission/admit";
import type { Refusal } from "@tollgate/relay/ports/client";
import type { ApiKey, Directory } from "@tollgate/relay/ports/directory";
import { describe, expect, it } from "vitest";
import { BodyBytes } from "./body-bytes";
import { type AdmittedBody, readAdmitted, type UploadSettings } from "./read-admitted";
import { RefusalLimits } from "./refusal-limits";

const BANNED = 2;

const setUp = () => {
  const state = {
    nowMs: 1_000_000,
    isDeleted: false,
    isStopping: false,
    isStorageFailing: false,
    allowed: true,
    marked: 0,
  };
  const key: ApiKey = {
    id: 2,
    name: "k",
    status: 1,
    expiredTime: 1500,
    account: { id: 2, quota: 10, held: 0, isUnlimited: false },
    networks: { has: () => state.allowed },
    user: {
      id: 1,
      username: "alice",
      role: 1,
      status: 1,
      groups: ["default"],
      account: { id: 1, quota: 10, held: 0, isUnlimited: false },
    },
  };
  const directory = {
    findKey: () => (state.isDeleted ? undefined : key),
    keysOfChannel: () => [],
    markKey: () => {
      state.marked += 1;
    },
  };
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const results: (AdmittedBody | Refusal)[] = [];
  const errors: string[] = [];
  const settings: UploadSettings = {
    directory: directory as unknown as Directory,
    now: () => state.nowMs,
    addressOf: () => "192.0.2.1",
    catchUp: undefined,
    bodyLimitBytes: 1000,
    bodyBytes: new BodyBytes(100),
    refusalLimits: new RefusalLimits({ perMinute: () => 2, now: () => 0, subscriberOf: () => "192.0.2.1" }),
    reportError: (error) => errors.push(error.message),
    isStopping: () => state.isStopping,
    chargingFault: () => (state.isStorageFailing ? "storage-failing" : undefined),
  };
  const read = (presented = "sk-key") =>
    readAdmitted(settings, request, response, presented, (result) => results.push(result));
  const finishBody = async () => {
    request.push('{"model":"m"}');
    request.push(null);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { state, key, request, response, settings, errors, results, read, finishBody };
};

describe("a request's admission (M11)", () => {
  it("stands when nothing has changed by the time the body is there", async () => {
    const world = setUp();
    world.read();
    expect(world.results).toEqual([]);
    await world.finishBody();
    expect(world.results).toMatchObject([{ key: { id: 2 }, pinned: undefined }]);
    const [read] = world.results;
    expect(read && !isRefusal(read) && read.rawBody.toString()).toBe('{"model":"m"}');
  });

  it.each<[string, (world: ReturnType<typeof setUp>) => void, string]>([
    ["the user is banned", ({ key }) => Object.assign(key.user, { status: BANNED }), "user-disabled"],
    ["the key is disabled", ({ key }) => Object.assign(key, { status: 2 }), "token-disabled"],
    [
      "the key, or its user, is deleted",
      ({ state }) => Object.assign(state, { isDeleted: true }),
      "token-invalid",
    ],
    ["the key's time is over", ({ state }) => Object.assign(state, { nowMs: 1_600_000 }), "token-expired"],
    ["the key is used up", ({ key }) => Object.assign(key.account, { quota: 0 }), "token-exhausted"],
    [
      "the address is no longer allowed",
      ({ state }) => Object.assign(state, { allowed: false }),
      "address-not-allowed",
    ],
  ])("is refused when %s during the upload", async (_, change, code) => {
    const world = setUp();
    world.read();
    change(world);
    await world.finishBody();
    expect(world.results).toMatchObject([{ code }]);
  });

  it("is refused before the body is read where it would be refused anyway", () => {
    const world = setUp();
    world.key.status = 2;
    world.read();
    expect(world.results).toMatchObject([{ code: "token-disabled" }]);
  });

  it("is refused while charges cannot be stored, also when that begins during the upload (M8)", async () => {
    const world = setUp();
    world.read();
    world.state.isStorageFailing = true;
    await world.finishBody();
    world.read();
    expect(world.results).toMatchObject([{ code: "storage-failing" }, { code: "storage-failing" }]);
  });

  it("is that of the key itself, not of another one with the same end that was admitted before", async () => {
    const world = setUp();
    const { settings, request, response, results } = world;
    settings.directory.findKey = (secret) => (secret === "key" ? world.key : undefined);
    world.read();
    await world.finishBody();
    readAdmitted(settings, request, response, "sk-monkey", (result) => results.push(result));
    expect(results).toMatchObject([{ key: { id: 2 } }, { code: "token-invalid" }]);
  });

  it("is refused while the process stops", () => {
    const world = setUp();
    world.state.isStopping = true;
    world.read();
    expect(world.results).toMatchObject([{ code: "shutting-down" }]);
  });
});

describe("a request's body", () => {
  it("is refused with a sentence when it is compressed (C12)", async () => {
    const world = setUp();
    world.request.headers["content-encoding"] = "gzip";
    world.read();
    expect(world.results).toEqual([{ code: "body-encoded", params: { encoding: "gzip" } }]);
  });

  it("counts among the bodies under way until its answer is over (S8)", async () => {
    const world = setUp();
    world.read();
    await world.finishBody();
    expect(world.settings.bodyBytes.held).toBe('{"model":"m"}'.length);
    world.response.emit("close");
    expect(world.settings.bodyBytes.held).toBe(0);
  });

  it("is refused when others of the same user take up all room (S8)", async () => {
    const world = setUp();
    world.settings.bodyBytes.open(1).take(20);
    world.read();
    await world.finishBody();
    expect(world.results).toMatchObject([{ code: "bodies-limited" }]);
    expect(world.settings.bodyBytes.held).toBe(20);
  });

  it("is not read once the key was refused too often, and counts its own refusals (S19)", async () => {
    const world = setUp();
    const refuse = (): void => {
      world.response.writeHead(403);
      world.response.emit("close");
    };
    world.read();
    await world.finishBody();
    refuse();
    world.settings.refusalLimits.ended(2, world.request, 404);
    world.read();
    expect(world.results).toMatchObject([{ key: { id: 2 } }, { code: "refusals-limited" }]);
    expect(world.settings.bodyBytes.held).toBe(0);
  });

  it("ends its own request alone when something unexpected happens to it (S1)", async () => {
    const world = setUp();
    const { request, response, settings, errors } = world;
    readAdmitted(settings, request, response, "sk-key", () => {
      throw new RangeError("Maximum call stack size exceeded");
    });
    await world.finishBody();
    expect(errors).toEqual(["Maximum call stack size exceeded"]);
    expect(response.statusCode).toBe(500);
    expect(response.writableEnded).toBe(true);
  });
});

describe("a key that is not known here", () => {
  const MADE = `sk-${"k".repeat(48)}`;
  const codes = (results: readonly (AdmittedBody | Refusal)[]) =>
    results.map((result) => (isRefusal(result) ? result.code : "admitted"));

  it("is looked for once more when all is known that other nodes have changed", async () => {
    const world = setUp();
    world.state.isDeleted = true;
    world.settings.catchUp = async () => {
      world.state.isDeleted = false;
      return true;
    };
    world.read(MADE);
    expect(world.results).toEqual([]);
    await Promise.resolve();
    await world.finishBody();
    expect(codes(world.results)).toEqual(["admitted"]);
  });

  it("is refused after one wait when no node has created it, and immediately when it is malformed or no other node runs", async () => {
    const world = setUp();
    world.state.isDeleted = true;
    world.read(MADE);
    expect(codes(world.results)).toEqual(["token-invalid"]);
    let waits = 0;
    world.settings.catchUp = async () => {
      waits += 1;
      return true;
    };
    for (const presented of ["sk-short", `${MADE}\0`, `sk-${"é".repeat(48)}`]) world.read(presented);
    expect([waits, world.results.length]).toEqual([0, 4]);
    world.read(MADE);
    await new Promise((resolve) => setImmediate(resolve));
    expect([waits, world.results.length]).toEqual([1, 5]);
  });

  it("is neither good nor bad while the database does not say", async () => {
    const world = setUp();
    world.state.isDeleted = true;
    world.settings.catchUp = async () => false;
    world.read(MADE);
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes(world.results)).toEqual(["node-not-admitting"]);
  });

  it("takes up nothing where the client has left meanwhile", async () => {
    const world = setUp();
    world.state.isDeleted = true;
    world.settings.catchUp = async () => {
      world.state.isDeleted = false;
      world.response.destroy();
      return true;
    };
    world.read(MADE);
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.results).toEqual([]);
  });
});
