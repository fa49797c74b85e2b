import type { TokenCount } from "@tollgate/contract/relay/client-api";
import { openaiChat } from "@tollgate/protocols/openai-chat/openai-chat";
import { describe, expect, it } from "vitest";
import { Admissions } from "../admission/admissions";
import type { Refusal } from "../ports/client";
import type { ApiKey, UpstreamTarget } from "../ports/directory";
import type { LimitPass } from "../ports/limits";
import { type Counted, countPrompt } from "./count-prompt";

const account = { id: 1, quota: 10, held: 0, isUnlimited: false };
const user = { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account };
const base: ApiKey = { id: 2, name: "k", status: 1, expiredTime: -1, account, user };
const HEADERS = { limit: "1" };

const setUp = (more: Partial<ApiKey> = {}, limited: Refusal | undefined = undefined) => {
  const state = { entered: 0, left: 0 };
  const pass: LimitPass = {
    headers: HEADERS,
    leave: () => {
      state.left += 1;
    },
  };
  const ports = {
    directory: {
      candidates: (_: string, model: string) => (model === "known" ? [{} as UpstreamTarget] : []),
      isListed: (_: string, model: string) => model === "off",
    },
    tokenCounter: { count: (_: string, text: string, done: (tokens: number) => void) => done(text.length) },
    limiter: {
      enter: () => {
        state.entered += 1;
        return limited ?? pass;
      },
    },
  } as unknown as Parameters<typeof countPrompt>[1];
  const ask = (model: string, count: TokenCount = { encode: (tokens) => ({ tokens }) }): Counted => {
    let result: Counted | undefined;
    const body = { model, messages: [{ role: "user", content: "hi" }] };
    const job = { client: openaiChat, count, address: undefined, body, key: { ...base, ...more } };
    countPrompt(job, ports, new Admissions(() => undefined), (counted) => {
      result = counted;
    });
    if (!result) throw new Error("never answered");
    return result;
  };
  return { ask, state };
};

describe("counting a prompt", () => {
  it("tells the number as its API does, with where the client stands", () => {
    const { ask, state } = setUp();
    expect(ask("known")).toEqual({ headers: HEADERS, counted: { tokens: expect.any(Number) } });
    expect(state).toEqual({ entered: 1, left: 1 });
  });

  it("is refused for a model that the key may not use, offered or not", () => {
    for (const model of ["known", "off", "nobody's"]) {
      const { ask, state } = setUp({ models: new Set(["other"]) });
      expect(ask(model)).toEqual({ refusal: { code: "model-not-allowed", params: { model } } });
      expect(state.entered).toBe(0);
    }
  });

  it("falls under limits, before it is asked who offers the model", () => {
    const limited: Refusal = { code: "requests-limited" };
    for (const model of ["known", "off", "nobody's"])
      expect(setUp({}, limited).ask(model)).toEqual({ refusal: limited });
  });

  it.each([
    ["off", "channel-unavailable"],
    ["nobody's", "model-unknown"],
  ])("of the model %s is refused: %s", (model, code) => {
    const { ask, state } = setUp();
    expect(ask(model)).toMatchObject({ refusal: { code, headers: HEADERS } });
    expect(state.left).toBe(1);
  });
});
