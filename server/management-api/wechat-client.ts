import { stripEnd } from "@tollgate/contract/values/strip-end";
import { fetchJson } from "@tollgate/relay/transport/guarded-fetch";
import { z } from "zod/mini";
import type { Options } from "../state/options";
import { Failure } from "./failure";

export interface WechatClient {
  /**
   * The WeChat user behind a code that the site's account told them.
   * @throws Failure when the WeChat server cannot be reached or does not know the code.
   */
  identify(code: string): Promise<string>;
}

const answerSchema = z.object({
  success: z.boolean(),
  message: z.catch(z.string(), ""),
  data: z.catch(z.string(), ""),
});

/** Talks to the WeChat server of the options (contract section 1.2). */
export const createWechatClient = (options: Options): WechatClient => ({
  async identify(code) {
    const base = stripEnd(options.text("WeChatServerAddress"), "/");
    const answer = answerSchema.safeParse(
      await fetchJson(`${base}/api/wechat/user?code=${encodeURIComponent(code)}`, {
        headers: { authorization: options.text("WeChatServerToken") },
      }),
    );
    if (!answer.success) throw new Failure("wechat-unreachable");
    if (!answer.data.success || answer.data.data === "") throw new Failure("code-invalid");
    return answer.data.data;
  },
});
