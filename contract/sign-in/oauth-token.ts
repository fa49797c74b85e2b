import * as z from "zod/mini";
import { type ExchangeTools, encodeFields } from "./exchange-code";

const FORM = "application/x-www-form-urlencoded";

const grant = z.object({ access_token: z.string().check(z.minLength(1)) });

/**
 * Exchanges a code for an access token as OAuth 2.0 has it (RFC 6749, section 4.1.3).
 * @param client the client's id and secret. @param isHeader whether they go into a header, as section 2.3.1 prefers.
 * @returns undefined where the service gives none.
 */
export const askForToken = async (
  {
    code,
    back,
    ask,
    encodeBase64,
  }: Pick<ExchangeTools<string, string>, "code" | "back" | "ask" | "encodeBase64">,
  url: string,
  client: { id: string; secret: string },
  isHeader = false,
): Promise<string | undefined> => {
  const form = encodeFields({
    ...{ grant_type: "authorization_code", code, redirect_uri: back },
    ...(isHeader ? {} : { client_id: client.id, client_secret: client.secret }),
  });
  const basic = encodeBase64(`${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`);
  const answer = await ask(url, {
    method: "POST",
    headers: {
      "content-type": FORM,
      accept: "application/json",
      ...(isHeader ? { authorization: `Basic ${basic}` } : {}),
    },
    body: form,
  });
  return grant.safeParse(answer).data?.access_token;
};
