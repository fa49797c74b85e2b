import type { AuthStyle, KeyParts } from "@tollgate/vendors/define-vendor";
import type { Authorizer } from "../ports/transport";
import { createSigV4Signer } from "./aws-sigv4";
import { createBaiduOauth } from "./baidu-oauth";
import { createGoogleOauth } from "./google-oauth";
import { createSparkUrlSigner } from "./spark-url";
import { createTencentLegacySigner } from "./tencent-legacy";
import { createTencentTc3Signer } from "./tencent-tc3";
import { createZhipuJwt } from "./zhipu-jwt";

/**
 * @param parts of the channel's key, in clear.
 * @param host the host name to sign.
 * @returns undefined for styles whose headers never change (see staticHeaders).
 */
export const createAuthorizer = (style: AuthStyle, parts: KeyParts, host: string): Authorizer | undefined => {
  const { accountId = "", keyId = "", secret = "", region = "", sessionToken = "", email = "" } = parts;
  switch (style) {
    case "aws-sigv4":
      return createSigV4Signer(
        "bedrock",
        { accessKeyId: keyId, secretAccessKey: secret, region, sessionToken },
        host,
      );
    case "zhipu-jwt":
      return createZhipuJwt(keyId, secret);
    case "baidu-oauth":
      return createBaiduOauth(keyId, secret);
    case "google-oauth":
      return createGoogleOauth(email, secret, keyId);
    case "tencent-legacy":
      return createTencentLegacySigner(accountId, keyId, secret);
    case "tencent-tc3":
      return createTencentTc3Signer(keyId, secret, host);
    case "spark-url":
      return createSparkUrlSigner(keyId, secret, host);
    case "bearer":
    case "x-api-key":
    case "api-key":
    case "x-goog-api-key":
      return undefined;
  }
};
