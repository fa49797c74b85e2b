import { callApi, signIn } from "@tollgate/demo/api-client";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { expect } from "vitest";

const LINK = /http:\/\/[^\s#]+\/setup#([A-Za-z0-9]+)/;
const PASSWORD = "roots-own-password";

/**
 * The first request (README.md) with a gateway that was just started for the first time: the set-up link, a channel, a key and
 * a request, which is relayed and charged.
 * @param product its address, and what it printed
 */
export const tryGateway = async (
  product: { url: string; stdout: string },
  upstream: { url: string },
): Promise<void> => {
  const { url } = product;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await (await fetch(url)).text()).toContain("<title>Tollgate</title>");
  const code = LINK.exec(product.stdout)?.[1];
  const setUp = await callApi("POST", `${url}/api/setup`, { code, password: PASSWORD });
  expect(setUp.body, product.stdout).toMatchObject({ success: true });
  const root = await signIn(url, "root", PASSWORD);
  await addChannel(root, {
    name: "fake",
    type: 1,
    models: "gpt-3.5-turbo",
    base_url: upstream.url,
    key: "sk-up",
  });
  const { key } = await addApiKey(root, { name: "laptop", remain_quota: 500_000 });
  const answer = await callApi(
    "POST",
    `${url}/v1/chat/completions`,
    { model: "gpt-3.5-turbo", messages: [{ role: "user", content: "Hello" }] },
    { token: `sk-${key}` },
  );
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.choices).toHaveLength(1);
};
