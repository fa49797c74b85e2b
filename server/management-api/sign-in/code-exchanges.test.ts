import type { CodeExchange, ExchangeFault, ExternalAccount } from "@tollgate/contract/sign-in/exchange-code";
import { CODE_EXCHANGES } from "@tollgate/contract/sign-in/exchanges";
import { SIGN_IN_METHODS, type SignInMethod } from "@tollgate/contract/sign-in/methods";
import { describe, expect, it } from "vitest";
import { formatMessage } from "../../locales/languages";
import { Failure } from "../failure";
import { createCodeExchanges } from "./code-exchanges";

const OPTIONS = { text: (key: string) => `the ${key}`, serverAddress: () => "https://gate.example.com" };

/** The account of a method's code, for this result of its exchange. */
const identify = (method: SignInMethod, found: ExternalAccount | ExchangeFault) => {
  const exchange: CodeExchange = { addresses: {}, identify: async () => found };
  const exchanges = { ...CODE_EXCHANGES, [method.name]: exchange };
  return createCodeExchanges(OPTIONS, {}, exchanges).identify(method, "code");
};

const sentenceOf = async (failing: Promise<unknown>): Promise<string> => {
  try {
    await failing;
  } catch (error) {
    if (error instanceof Failure) return formatMessage("zh-CN", error.key, error.params);
    throw error;
  }
  throw new Error("it did not fail");
};

const [github, wechat] = SIGN_IN_METHODS;

describe("the account behind a code", () => {
  it.each(SIGN_IN_METHODS)("of $title is told from all others by its subject", async (method) => {
    const longest = { subject: "s".repeat(255), displayName: "" };
    expect(await identify(method, longest)).toEqual(longest);
  });

  it.each([
    ["empty", ""],
    ["longer than any", "s".repeat(256)],
    ["far longer", "s".repeat(1_000_000)],
    ["cut off by a NUL in the database", "583231\0"],
    ["a line", "5\n8"],
    ["invisible", "\u200b"],
    ["half a character, which the database would turn into another", "\ud800"],
  ])("is rejected when the subject is %s", async (_, subject) => {
    for (const method of SIGN_IN_METHODS)
      expect(await sentenceOf(identify(method, { subject, displayName: "x" }))).toBe(
        "返回值非法，用户字段为空，请稍后重试！",
      );
  });

  it.each<[ExchangeFault, string, string]>([
    ["unreachable", "无法连接至 GitHub 服务器，请稍后重试！", "无法连接至微信登录服务器，请稍后重试"],
    ["nobody", "返回值非法，用户字段为空，请稍后重试！", "返回值非法，用户字段为空，请稍后重试！"],
    ["code-wrong", "验证码错误或已过期", "验证码错误或已过期"],
  ])("that is not found (%s) is said in the method's words", async (fault, ofGithub, ofWechat) => {
    expect(await sentenceOf(identify(github, fault))).toBe(ofGithub);
    expect(await sentenceOf(identify(wechat, fault))).toBe(ofWechat);
  });

  it("is asked for with the method's options and addresses, and where people were sent back to", async () => {
    const seen: string[] = [];
    const exchange: CodeExchange = {
      addresses: {},
      async identify({ code, option, address, back }) {
        seen.push(code, option("GitHubClientId"), option("NoOption"), address("GITHUB_URL"), back);
        return "nobody";
      },
    };
    const addresses = { GITHUB_URL: "https://github.example.com/" };
    const exchanges = createCodeExchanges(OPTIONS, addresses, { ...CODE_EXCHANGES, github: exchange });
    await expect(exchanges.identify(github, "code")).rejects.toThrow();
    expect(seen).toEqual([
      "code",
      "the GitHubClientId",
      "",
      "https://github.example.com",
      "https://gate.example.com/oauth/github",
    ]);
  });
});
