import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { CLIENT_APIS } from "@tollgate/protocols/client-apis";
import { OPERATIONS } from "@tollgate/protocols/openai-operations/openai-operations";
import type { Refusal } from "@tollgate/relay/ports/client";
import { describe, expect, it } from "vitest";
import { BodyBytes } from "./body-bytes";
import { createGateway, type GatewaySettings } from "./gateway";
import { readChat, readChatInSteps } from "./read-chat";
import { LARGE_BODY_BYTES } from "./read-json";
import { readOperation, readOperationInSteps } from "./read-operation";
import { RefusalLimits } from "./refusal-limits";
import { refusalOf } from "./refusal-of";
import { createRouter } from "./router";
import { runLarge } from "./run-large";

const LONG = "word ".repeat(LARGE_BODY_BYTES / 5);
const CHAT = "/v1/chat/completions";
const GEMINI = "/v1beta/models/cheap:generateContent";

const setUp = () => {
  const state = { isStopping: false, isStorageFailing: false };
  const settings = {
    isStopping: () => state.isStopping,
    chargingFault: () => (state.isStorageFailing ? "storage-failing" : undefined),
    reportError: (error: Error) => events.push(`reported ${error.message}`),
  };
  const events: string[] = [];
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const run = (steps: Generator<undefined, unknown>, onRun = (_: unknown): void => {}): void =>
    runLarge(
      settings,
      response,
      steps,
      (value) => {
        events.push("run");
        onRun(value);
      },
      (refusal: Refusal) => events.push(refusal.code),
      (error) => events.push(refusalOf(error)?.code ?? `failed: ${(error as Error).message}`),
    );
  const turns = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { state, response, events, run, turns };
};

const routeOf = (path: string) => {
  const found = createRouter(CLIENT_APIS)("POST", path, "");
  if (found?.asked.kind !== "chat") throw new Error(`${path} is no chat`);
  return { client: found.api.protocol, address: found.asked.address };
};

function* three(): Generator<undefined, string> {
  yield;
  yield;
  return "read";
}

describe("a large body", () => {
  it.each([CHAT, "/v1/embeddings"])("of %s is read in steps, and a small one at once", async (path) => {
    const { turns } = setUp();
    const runs: string[] = [];
    const account = { id: 1, quota: 10, held: 0, isUnlimited: false };
    const user = { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account };
    const serve = createGateway({
      directory: { findKey: () => ({ id: 2, name: "k", status: 1, expiredTime: -1, account, user }) },
      relay: { run: () => runs.push("run"), runOperation: () => runs.push("run") },
      bodyLog: { watch: (_: unknown, response: unknown) => response },
      bodyLimitBytes: 2 * LARGE_BODY_BYTES,
      bodyBytes: new BodyBytes(8 * LARGE_BODY_BYTES),
      refusalLimits: new RefusalLimits({ perMinute: () => 0, now: () => 0, subscriberOf: () => "192.0.2.1" }),
      now: () => 0,
      isStopping: () => false,
      chargingFault: () => undefined,
    } as unknown as GatewaySettings);
    const send = async (input: string): Promise<void> => {
      const socket = new Socket();
      const request = new IncomingMessage(socket);
      Object.assign(request, { method: "POST", url: path, headers: { authorization: "Bearer sk-key" } });
      const response = new ServerResponse(request);
      response.assignSocket(socket);
      serve(request, response);
      request.push(JSON.stringify({ model: "m", input, messages: [{ role: "user", content: input }] }));
      request.push(null);
      // As the parser of a real connection does.
      request.complete = true;
      await new Promise((resolve) => request.once("end", resolve));
    };
    await send("hi");
    expect(runs).toEqual(["run"]);
    await send(LONG.slice(0, LARGE_BODY_BYTES * 0.6));
    expect(runs).toEqual(["run"]);
    await turns(3);
    expect(runs).toEqual(["run"]);
    await turns(20);
    expect(runs).toEqual(["run", "run"]);
  });

  it("lets others come between its steps, and runs in a turn of its own", async () => {
    const { events, run, turns } = setUp();
    const body = Buffer.from(`{"model":"m","messages":[{"role":"user","content":"${LONG}"}]}`);
    let steps = 0;
    const counted = function* (): Generator<undefined, unknown> {
      const reading = readChatInSteps(body, routeOf(CHAT));
      for (let step = reading.next(); ; step = reading.next()) {
        steps += 1;
        events.push("step");
        if (step.done) return step.value;
        yield;
      }
    };
    run(counted(), (value) => expect(value).toEqual(JSON.parse(body.toString())));
    for (let i = 0; i < 20; i += 1) {
      events.push("another");
      await turns(1);
    }
    expect(steps).toBeGreaterThan(5);
    const during = events.slice(0, events.indexOf("run"));
    expect(during.filter((event) => event === "another").length).toBeGreaterThanOrEqual(steps - 1);
    expect(during.join()).not.toContain("step,step");
  });

  it("is dropped where its client has left meanwhile", async () => {
    const { response, events, run, turns } = setUp();
    run(three());
    response.destroy();
    await turns(5);
    expect(events).toEqual([]);
  });

  it("is read no further once its client has left", async () => {
    const { response, events, run, turns } = setUp();
    let steps = 0;
    const long = function* (): Generator<undefined, string> {
      for (; steps < 50; steps += 1) yield;
      return "read";
    };
    run(long());
    await turns(3);
    response.destroy();
    const before = steps;
    await turns(60);
    expect(steps - before).toBeLessThan(3);
    expect(events).toEqual([]);
  });

  it("is refused where the process is about to stop meanwhile, or storing fails", async () => {
    const { state, events, run, turns } = setUp();
    run(three());
    state.isStopping = true;
    await turns(5);
    state.isStopping = false;
    run(three());
    state.isStorageFailing = true;
    await turns(5);
    expect(events).toEqual(["shutting-down", "storage-failing"]);
  });

  it("ends its own request where it fails", async () => {
    const { events, run, turns } = setUp();
    run(three(), () => {
      throw new Error("unforeseen");
    });
    await turns(5);
    expect(events).toEqual(["run", "failed: unforeseen"]);
  });

  it.each([
    [CHAT, '"model":"m","max_tokens":5'],
    [CHAT, '"model":"m","Model":"dear"'],
    [CHAT, `"tools":${"[".repeat(500)}${"]".repeat(500)}`],
    [CHAT, '"model":}'],
    [GEMINI, '"model":"models/dear"'],
  ])("of %s with %s reads as a small one does", async (path, fields) => {
    const { events, run, turns } = setUp();
    const route = routeOf(path);
    const body = Buffer.from(`{"contents":"${LONG}",${fields}}`);
    const outcome = (): string => {
      try {
        readChat(body, route);
        return "run";
      } catch (error) {
        return refusalOf(error)?.code ?? "";
      }
    };
    run(readChatInSteps(body, route));
    await turns(20);
    expect(events).toEqual([outcome()]);
  });

  it("of an operation reads as a small one does", async () => {
    const { run, turns } = setUp();
    const address = { operation: OPERATIONS.embeddings };
    const body = Buffer.from(`{"model":"m","input":"${LONG}"}`);
    const ownName = (model: string) => ({ model, alias: undefined });
    const read: unknown[] = [];
    run(readOperationInSteps(address, body, "application/json", ownName), (value) => read.push(value));
    await turns(20);
    expect(read).toEqual([readOperation(address, body, "application/json", ownName)]);
  });
});
