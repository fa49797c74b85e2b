import type { AuthStyle } from "@tollgate/vendors/define-vendor";
import type { Authorizer } from "../ports";
import { createSigV4Signer } from "./aws-sigv4";
import { createBaiduOauth } from "./baidu-oauth";
import { createGoogleOauth } from "./google-oauth";
import { createSparkUrlSigner } from "./spark-url";
import { createTencentLegacySigner } from "./tencent-legacy";
import { createTencentTc3Signer } from "./tencent-tc3";
import { createZhipuJwt } from "./zhipu-jwt";

/**
 * @param parts the channel's key in clear, cut at its separators.
 * @param host the name that signatures are made for.
 * @returns undefined for styles whose headers never change (see staticHeaders).
 */
export const createAuthorizer = (
  style: AuthStyle,
  parts: readonly string[],
  host: string,
): Authorizer | undefined => {
  const [first = "", second = "", third = "", keyId = ""] = parts;
  switch (style) {
    case "aws-sigv4":
      return createSigV4Signer("bedrock", parts, host);
    case "zhipu-jwt":
      return createZhipuJwt(first, second);
    case "baidu-oauth":
      return createBaiduOauth(first, second);
    case "google-oauth":
      return createGoogleOauth(first, second, keyId);
    case "tencent-legacy":
      return createTencentLegacySigner(first, second, third);
    case "tencent-tc3":
      // An AppId in front is of no use here.
      return parts.length === 3
        ? createTencentTc3Signer(second, third, host)
        : createTencentTc3Signer(first, second, host);
    case "spark-url":
      return createSparkUrlSigner(third, second, host);
    case "bearer":
    case "x-api-key":
    case "api-key":
    case "x-goog-api-key":
      return undefined;
  }
};
